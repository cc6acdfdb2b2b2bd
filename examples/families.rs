//! Members of a family, in another dialect, and evaluated on a word.
#![expect(clippy::print_stdout, reason = "the formulas are to be seen")]

use kermode::ltl::{Conversion, Dialect, Syntax};
use kermode::{convert, generate, holds};

pub(crate) fn main() -> Result<(), kermode::Error> {
    let fair = "cycle{p1 & !p2 & !p3; !p1 & p2 & !p3}";
    let conjunctions = generate("C2", &["1..3"])?;
    for (formula, satisfied) in conjunctions.iter().zip([true, true, false]) {
        let spin = convert(formula, Syntax::default(), &Conversion::default(), Dialect::Spin)?;
        println!("{spin}");
        assert_eq!(holds(formula, fair)?, satisfied, "{formula}");
    }
    assert_eq!(conjunctions[1], "G F p1 & G F p2");

    let random = generate("random", &["20", "3", "0.5", "1..5"])?;
    assert_eq!(random, generate("random", &["20", "3", "0.5", "1..5"])?);
    let nnf = Conversion { negation_normal_form: true, ..Conversion::default() };
    for formula in &random {
        let normal = convert(formula, Syntax::default(), &nnf, Dialect::Kermode)?;
        assert_eq!(holds(&normal, fair)?, holds(formula, fair)?, "{formula}");
    }
    Ok(())
}
