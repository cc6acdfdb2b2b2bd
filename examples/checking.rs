//! Checks the specifications of a model, and writes the trace of the one that is violated.

use kermode::smv::trace::table::{TableOptions, write_table};
use kermode::solve::check::CheckVerdict;
use kermode::{Error, check, model};

const MODEL: &str = "
MODULE main
VAR light : {red, green, amber};
ASSIGN
  init(light) := red;
  next(light) := case light = red : {red, green}; light = green : amber; TRUE : red; esac;
LTLSPEC NAME often := G F light = green
INVARSPEC NAME stays := light != amber | next(light) = red
CTLSPEC NAME possible := AG EF light = green";

pub(crate) fn main() -> Result<(), Error> {
    let checked = check(MODEL)?;
    let verdicts: Vec<&str> = checked.iter().map(|checked| checked.verdict.word()).collect();
    assert_eq!(verdicts, ["violated", "holds", "holds"]);
    if let CheckVerdict::Violated(Ok(found)) = &checked[0].verdict {
        let options = TableOptions { first: &found.variables, ..TableOptions::default() };
        let table = write_table(&model(MODEL)?.flat, &found.trace, &options);
        assert!(table.contains("light  red"), "{table}");
    }
    Ok(())
}
