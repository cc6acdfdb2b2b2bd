//! The document as Markdown of GitHub, with tables that are aligned in plain text as well.

use unicode_width::UnicodeWidthStr;

use kermode_ltl::text::visible;

use super::document::{Align, Block, Document, Field, Figure, Line, Span, Table};

/// The Markdown; figures are links to their files, and are omitted if those are not written.
pub(crate) fn markdown(document: &Document, with_figures: bool) -> String {
    let mut out = format!("# {}\n", plain(&document.title));
    for section in &document.sections {
        let shown = |block: &&Block| with_figures || !matches!(block, Block::Figures(_));
        let blocks: Vec<String> = section.blocks.iter().filter(shown).map(render).collect();
        if !blocks.is_empty() {
            out.push_str(&format!("\n## {}\n\n{}", plain(section.title), blocks.join("\n")));
        }
    }
    out
}

fn render(block: &Block) -> String {
    match block {
        Block::Paragraph(text) => line(text) + "\n",
        Block::Warning(text) => format!("> **Note:** {}\n", line(text)),
        Block::List(items) => items.iter().map(|item| format!("- {}\n", line(item))).collect(),
        Block::Subtitle(title) => format!("### {}\n", plain(title)),
        Block::Table(table) => render_table(table),
        Block::Figures(figures) => figures.iter().map(figure).collect::<Vec<_>>().join("\n"),
    }
}

fn figure(figure: &Figure) -> String {
    let caption = line(&figure.caption);
    format!("![]({})\n\n*{caption}*\n", figure.file)
}

fn line(line: &Line) -> String {
    line.iter().map(span).collect()
}

fn span(span: &Span) -> String {
    match span {
        Span::Plain(text) => plain(text),
        Span::Name(name) => code(name),
    }
}

/// Escapes the few special characters that our own text contains.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text).chars() {
        if matches!(c, '|' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A name as code, fenced by more backticks than it has in a row. Bars would end a table cell even
/// in code.
fn code(name: &str) -> String {
    let name = visible(name).replace('|', "\\|");
    let longest = name.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    match name.starts_with('`') || name.ends_with('`') || name.trim().is_empty() {
        true => format!("{fence} {name} {fence}"),
        false => format!("{fence}{name}{fence}"),
    }
}

fn field(field: &Field) -> String {
    let text = line(&field.line);
    if field.best { format!("**{text}**") } else { text }
}

fn render_table(table: &Table) -> String {
    let heads: Vec<String> = table.columns.iter().map(|(head, _)| line(head)).collect();
    let rows: Vec<Vec<String>> =
        table.rows.iter().map(|row| row.iter().map(field).collect()).collect();
    let width = |column: usize| {
        let fields = rows.iter().filter_map(|row| row.get(column));
        fields.chain([&heads[column]]).map(|text| text.width()).max().unwrap_or(0).max(3)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let aligns: Vec<Align> = table.columns.iter().map(|(_, align)| *align).collect();
    let rule = widths.iter().zip(&aligns).map(|(&width, align)| match align {
        Align::Left => "-".repeat(width),
        Align::Right => format!("{}:", "-".repeat(width - 1)),
    });
    let rule = format!("| {} |\n", rule.collect::<Vec<_>>().join(" | "));
    let body = rows.iter().map(|row| render_row(row, &widths, &aligns));
    [render_row(&heads, &widths, &aligns), rule].into_iter().chain(body).collect()
}

fn render_row(row: &[String], widths: &[usize], aligns: &[Align]) -> String {
    let fields = row.iter().zip(widths).zip(aligns).map(|((text, width), align)| {
        let blanks = " ".repeat(width - text.width());
        match align {
            Align::Left => format!("{text}{blanks}"),
            Align::Right => format!("{blanks}{text}"),
        }
    });
    format!("| {} |\n", fields.collect::<Vec<_>>().join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out() {
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("``"), "``` `` ```");
        assert_eq!(code("a\nb"), "`a\u{fffd}b`");
        assert_eq!(plain("a_b|<c>"), "a\\_b\\|\\<c\\>");
    }

    #[test]
    fn tables_are_aligned() {
        let columns =
            vec![(vec![Span::Plain("tool".to_owned())], Align::Left), (Vec::new(), Align::Right)];
        let rows = vec![vec![Field::name("x"), Field::text("10").best_if(true)]];
        let table = Table { columns, rows, has_total: false };
        assert_eq!(
            render_table(&table),
            "| tool |        |\n| ---- | -----: |\n| `x`  | **10** |\n"
        );
    }
}
