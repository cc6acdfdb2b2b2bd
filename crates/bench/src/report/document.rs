//! The report as a document: sections of paragraphs, tables and figures. `sections` writes it,
//! `markdown` and `html` render it, so both have the same contents.

/// A piece of text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Span {
    /// Text of the report itself.
    Plain(String),
    /// A name from an input, which may contain anything.
    Name(String),
}

/// A line of text.
pub(crate) type Line = Vec<Span>;

pub(crate) fn plain(text: impl Into<String>) -> Span {
    Span::Plain(text.into())
}

pub(crate) fn name(text: impl Into<String>) -> Span {
    Span::Name(text.into())
}

/// One field of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Field {
    pub(crate) line: Line,
    /// Whether it is the best of its row.
    pub(crate) best: bool,
}

impl Field {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Field { line: vec![plain(text)], best: false }
    }

    pub(crate) fn name(text: impl Into<String>) -> Self {
        Field { line: vec![name(text)], best: false }
    }

    pub(crate) fn best_if(self, best: bool) -> Self {
        Field { best, ..self }
    }
}

/// A table. Columns of numbers are aligned to the right.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    pub(crate) columns: Vec<(Line, Align)>,
    pub(crate) rows: Vec<Vec<Field>>,
    /// Whether the last row is a total.
    pub(crate) has_total: bool,
}

/// Where the fields of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figure {
    /// The name of its file.
    pub(crate) file: String,
    pub(crate) svg: String,
    pub(crate) caption: Line,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Block {
    Paragraph(Line),
    /// Something that must not be overlooked.
    Warning(Line),
    List(Vec<Line>),
    Subtitle(String),
    Table(Table),
    Figures(Vec<Figure>),
}

/// A part with a title.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Section {
    pub(crate) title: &'static str,
    pub(crate) blocks: Vec<Block>,
}

/// A report.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Document {
    pub(crate) title: String,
    pub(crate) sections: Vec<Section>,
}

impl Document {
    /// All pictures.
    pub(crate) fn figures(&self) -> impl Iterator<Item = &Figure> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks.flat_map(|block| match block {
            Block::Figures(figures) => figures.as_slice(),
            _ => &[],
        })
    }
}
