//! The document as one self-contained HTML page: styles and pictures are inside, and there are no
//! scripts.

use kermode_ltl::text::visible;

use super::document::{Align, Block, Document, Field, Figure, Line, Section, Span, Table};

/// The page.
pub(crate) fn html(document: &Document) -> String {
    let title = escape(&document.title);
    let links = document
        .sections
        .iter()
        .map(|section| format!("<a href=\"#{}\">{}</a>", id(section.title), escape(section.title)));
    let links: String = links.collect::<Vec<_>>().join("\n");
    let sections: String = document.sections.iter().map(render_section).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n\
         <nav>\n{links}\n</nav>\n</header>\n<main>\n{sections}</main>\n</body>\n</html>\n",
        include_str!("style.css")
    )
}

fn render_section(section: &Section) -> String {
    let blocks: String = section.blocks.iter().map(render).collect();
    let (id, title) = (id(section.title), escape(section.title));
    format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{blocks}</section>\n")
}

/// The anchor of a section.
fn id(title: &str) -> String {
    title.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-")
}

fn render(block: &Block) -> String {
    match block {
        Block::Paragraph(text) => format!("<p>{}</p>\n", line(text)),
        Block::Warning(text) => format!("<p class=\"warning\">{}</p>\n", line(text)),
        Block::List(items) => {
            let items: String = items.iter().map(|i| format!("<li>{}</li>\n", line(i))).collect();
            format!("<ul>\n{items}</ul>\n")
        }
        Block::Subtitle(title) => format!("<h3>{}</h3>\n", escape(title)),
        Block::Table(table) => render_table(table),
        Block::Figures(figures) => {
            let figures: String = figures.iter().map(figure).collect();
            format!("<div class=\"figures\">\n{figures}</div>\n")
        }
    }
}

fn figure(figure: &Figure) -> String {
    let caption = line(&figure.caption);
    format!("<figure>\n{}<figcaption>{caption}</figcaption>\n</figure>\n", figure.svg)
}

fn line(line: &Line) -> String {
    line.iter().map(span).collect()
}

fn span(span: &Span) -> String {
    match span {
        Span::Plain(text) => escape(text),
        Span::Name(name) => format!("<code>{}</code>", breakable(&escape(name))),
    }
}

/// A name with break opportunities after its parts.
fn breakable(escaped: &str) -> String {
    let mut out = String::new();
    for c in escaped.chars() {
        out.push(c);
        if matches!(c, ':' | '/' | ',') {
            out.push_str("<wbr>");
        }
    }
    out
}

/// Escapes a text for HTML.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

fn render_table(table: &Table) -> String {
    let heads = table.columns.iter().map(|(head, align)| {
        format!("<th scope=\"col\"{}>{}</th>", class(*align, false), line(head))
    });
    let heads: String = heads.collect();
    let (body, total) = match table.has_total {
        true => table.rows.split_at(table.rows.len().saturating_sub(1)),
        false => (&table.rows[..], &[][..]),
    };
    let rows = |rows: &[Vec<Field>]| rows.iter().map(|row| render_row(table, row)).collect();
    let (body, total): (String, String) = (rows(body), rows(total));
    let total = if total.is_empty() { total } else { format!("<tfoot>\n{total}</tfoot>\n") };
    format!(
        "<div class=\"table\"><table>\n<thead><tr>{heads}</tr></thead>\n\
         <tbody>\n{body}</tbody>\n{total}</table></div>\n"
    )
}

fn render_row(table: &Table, row: &[Field]) -> String {
    let fields = row.iter().zip(&table.columns).enumerate().map(|(index, (field, (_, align)))| {
        let (tag, text) = (if index == 0 { "th scope=\"row\"" } else { "td" }, line(&field.line));
        let end = if index == 0 { "th" } else { "td" };
        format!("<{tag}{}>{text}</{end}>", class(*align, field.best))
    });
    format!("<tr>{}</tr>\n", fields.collect::<String>())
}

fn class(align: Align, best: bool) -> &'static str {
    match (align, best) {
        (Align::Left, false) => "",
        (Align::Left, true) => " class=\"best\"",
        (Align::Right, false) => " class=\"number\"",
        (Align::Right, true) => " class=\"number best\"",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out() {
        let name = Span::Name("<script>\"&':\u{7}".to_owned());
        assert_eq!(span(&name), "<code>&lt;script&gt;&quot;&amp;&#39;:<wbr>\u{fffd}</code>");
    }
}
