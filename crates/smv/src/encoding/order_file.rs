//! Order files, as NuSMV reads and writes them.
//!
//! A file has one name per line, from the top of the order. A name is that of a variable, which
//! stands for all of its bits, or that of a bit: `x.0` is the least significant bit of a word, but
//! the *most* significant bit of the code of a range or enumeration. Comments are those of SMV.

use kermode_base::Diagnostic;
use kermode_system::{Domain, Model, Symbol, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

/// Reads an order file into the order of a model. Variables that it does not mention keep their
/// places after their present neighbours. Unknown and repeated names are ignored, with warnings.
pub(crate) fn read(model: &mut Model, text: &str) -> Vec<Diagnostic> {
    let names: FxHashMap<&str, &Symbol> =
        model.symbols.iter().map(|symbol| (symbol.name.as_str(), symbol)).collect();
    let mut warnings = Vec::new();
    let mut listed: Vec<Variable> = Vec::new();
    let mut seen: FxHashSet<Variable> = FxHashSet::default();
    for (start, name) in words(text) {
        let span = start..start + name.len();
        let Some(bits) = find(&names, name) else {
            let text = format!("the order file names `{name}`, which is no variable of the model");
            warnings.push(
                Diagnostic::warning(span, text).label("unknown variable or bit").help(
                    "remove the line; the variables of a model are those that `--flat` shows",
                ),
            );
            continue;
        };
        let new: Vec<Variable> = bits.into_iter().filter(|&bit| seen.insert(bit)).collect();
        if new.is_empty() {
            let text = format!("the order file names `{name}` twice");
            warnings.push(
                Diagnostic::warning(span, text)
                    .label("it has a place already")
                    .help("remove one of the lines; the first one counts"),
            );
        }
        listed.extend(new);
    }
    // Each missing bit follows the bit before it in the present order.
    let mut followers: FxHashMap<Option<Variable>, Vec<Variable>> = FxHashMap::default();
    let mut last = None;
    for &bit in &model.order {
        match seen.contains(&bit) {
            true => last = Some(bit),
            false => followers.entry(last).or_default().push(bit),
        }
    }
    let mut order = followers.remove(&None).unwrap_or_default();
    for bit in listed {
        order.push(bit);
        order.extend(followers.remove(&Some(bit)).unwrap_or_default());
    }
    model.order = order;
    warnings
}

/// The text of an order file for the order of a model.
pub(crate) fn write(model: &Model) -> String {
    let mut names: FxHashMap<Variable, String> = FxHashMap::default();
    for symbol in &model.symbols {
        for (place, &bit) in symbol.bits.iter().enumerate() {
            let name = &symbol.name;
            let name = match symbol.domain {
                Domain::Boolean => name.clone(),
                _ => format!("{name}.{}", numbered(symbol, place)),
            };
            names.insert(bit, name);
        }
    }
    let lines = model.order.iter().filter_map(|bit| names.get(bit));
    lines.flat_map(|name| [name, "\n"]).collect()
}

/// The number of a bit in order files, or the place of a bit with this number.
fn numbered(symbol: &Symbol, place: usize) -> usize {
    match symbol.domain {
        Domain::Word { .. } => place,
        _ => symbol.bits.len() - 1 - place,
    }
}

/// The bits that a name stands for, from the top: the most significant one first.
fn find(names: &FxHashMap<&str, &Symbol>, name: &str) -> Option<Vec<Variable>> {
    if let Some(symbol) = names.get(name) {
        return Some(symbol.bits.iter().rev().copied().collect());
    }
    let (name, number) = name.rsplit_once('.')?;
    let symbol = names.get(name).filter(|symbol| symbol.domain != Domain::Boolean)?;
    let number: usize = number.parse().ok()?;
    (number < symbol.bits.len()).then(|| vec![symbol.bits[numbered(symbol, number)]])
}

/// The words of a text outside of comments, with their places.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut start = 0;
    while let Some(gap) = text[start..].find(|c: char| !c.is_whitespace()) {
        start += gap;
        let rest = &text[start..];
        let length = if rest.starts_with("--") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/--") {
            rest.find("--/").map_or(rest.len(), |end| end + "--/".len())
        } else {
            let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
            words.push((start, &rest[..length]));
            length
        };
        start += length;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use kermode_system::SymbolKind;

    fn model() -> Model {
        let mut model = Model::new();
        model.declare("b", SymbolKind::State, Domain::Boolean);
        model.declare("w", SymbolKind::State, Domain::Word { signed: false, width: 2 });
        model.declare("m.r[1]", SymbolKind::State, Domain::Range(0, 5));
        model
    }

    #[test]
    fn bits_are_numbered_as_in_nusmv() {
        let mut model = model();
        assert_eq!(write(&model), "b\nw.0\nw.1\nm.r[1].2\nm.r[1].1\nm.r[1].0\n");
        let text = "m.r[1].0 -- the highest bit\n/-- two\nlines --/ w\n--b\n";
        assert!(read(&mut model, text).is_empty());
        // What is missing stays after its neighbour: `b` was first, and the rest followed `w.1`.
        assert_eq!(write(&model), "b\nm.r[1].0\nw.1\nm.r[1].2\nm.r[1].1\nw.0\n");
        assert_eq!(model.undeclared(), None);
        // What was written is read back.
        let text = write(&model);
        let mut other = self::model();
        assert!(read(&mut other, &text).is_empty());
        assert_eq!(other.order, model.order);
    }

    #[test]
    fn unknown_and_repeated_names_are_warnings() {
        let mut model = model();
        let warnings = read(&mut model, "w\nnone\nw.1\nb.0\nw.2\nm.r[1].7\nb\n");
        let texts: Vec<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
        assert_eq!(texts.len(), 5, "{texts:?}");
        assert!(texts[0].contains("`none`") && texts[1].contains("`w.1` twice"), "{texts:?}");
        assert_eq!(warnings[0].span, 2..6);
        assert_eq!(write(&model), "w.1\nm.r[1].2\nm.r[1].1\nm.r[1].0\nw.0\nb\n");
    }
}
