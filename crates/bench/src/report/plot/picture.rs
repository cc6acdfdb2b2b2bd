//! Drawing: lines, marks and text on an SVG picture, and a frame with axes.
//!
//! Coordinates are integers, so pictures are drawn at twice their size, which gives half pixels.
//! Text uses the generic name of a font; widths are estimated from the number of columns.

use std::io;

use kermode_ltl::text::visible;
use plotters::coord::Shift;
use plotters::element::{Circle, DashedPathElement, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle,
};
use unicode_width::UnicodeWidthStr;

use super::axis::Axis;

/// The result of drawing.
pub(crate) type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// A place on a picture.
pub(crate) type Place = (i32, i32);

/// Units a pixel.
pub(crate) const SCALE: i32 = 2;

/// The SVG back end writes sizes divided by this.
const FONT_FACTOR: f64 = 1.24;

/// The height of letters, in units.
pub(crate) const TEXT: i32 = 13 * SCALE;

// The page gives these colours other values in the dark, by their names.
pub(crate) const PAPER: RGBColor = RGBColor(255, 255, 255);
pub(crate) const INK: RGBColor = RGBColor(34, 34, 34);
pub(crate) const GREY: RGBColor = RGBColor(119, 119, 119);
const GRID: RGBColor = RGBColor(221, 221, 221);
const FAINT_GRID: RGBColor = RGBColor(240, 240, 240);

/// The shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Circle,
    Triangle,
    Square,
    Diamond,
    Wedge,
    Cross,
}

/// How something is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) color: RGBColor,
    pub(crate) mark: Option<Mark>,
    /// The lengths of dashes and of gaps.
    pub(crate) dash: Option<(i32, i32)>,
    pub(crate) width: u32,
}

/// Where the text stands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    Left,
    Middle,
    Right,
}

/// A picture being drawn.
pub(crate) struct Picture<'p> {
    area: DrawingArea<SVGBackend<'p>, Shift>,
}

/// Draws a picture of so many pixels.
pub(crate) fn draw(
    size: (i32, i32),
    work: impl FnOnce(&Picture) -> Drawn,
) -> anyhow::Result<String> {
    let mut svg = String::new();
    let (width, height) = ((size.0 * SCALE) as u32, (size.1 * SCALE) as u32);
    {
        let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        let picture = Picture { area };
        picture.area.fill(&PAPER)?;
        work(&picture)?;
        picture.area.present()?;
    }
    let drawn = format!("width=\"{width}\" height=\"{height}\"");
    let shown = format!("width=\"{}\" height=\"{}\" role=\"img\"", size.0, size.1);
    Ok(svg.replacen(&drawn, &shown, 1))
}

/// How wide a text is, about.
pub(crate) fn width(text: &str) -> i32 {
    (text.width() as f64 * 0.58 * f64::from(TEXT)).ceil() as i32
}

impl Picture<'_> {
    pub(crate) fn text(&self, text: &str, place: Place, side: Side, color: RGBColor) -> Drawn {
        self.written(text, place, side, color, FontTransform::None, FontStyle::Normal)
    }

    pub(crate) fn title(&self, text: &str, place: Place) -> Drawn {
        self.written(text, place, Side::Left, INK, FontTransform::None, FontStyle::Bold)
    }

    fn written(
        &self,
        text: &str,
        place: Place,
        side: Side,
        color: RGBColor,
        turn: FontTransform,
        weight: FontStyle,
    ) -> Drawn {
        let h_pos = match side {
            Side::Left => HPos::Left,
            Side::Middle => HPos::Center,
            Side::Right => HPos::Right,
        };
        let size = f64::from(TEXT) * FONT_FACTOR;
        let font = FontDesc::new(FontFamily::SansSerif, size, weight).transform(turn);
        let style = TextStyle::from(font).color(&color).pos(Pos::new(h_pos, VPos::Center));
        self.area.draw(&Text::new(visible(text), place, style))
    }

    pub(crate) fn line(&self, places: &[Place], look: Look) -> Drawn {
        let style = look.color.stroke_width(look.width);
        match look.dash {
            None => self.area.draw(&PathElement::new(places.to_vec(), style)),
            Some((dash, gap)) => {
                self.area.draw(&DashedPathElement::new(places.to_vec(), dash, gap, style))
            }
        }
    }

    /// A mark, filled or hollow, of a radius.
    pub(crate) fn mark(&self, look: Look, place: Place, radius: i32, filled: bool) -> Drawn {
        let Some(mark) = look.mark else { return Ok(()) };
        let (stroke, fill): (ShapeStyle, _) = (look.color.stroke_width(3), look.color.filled());
        let corners = mark.corners(place, radius);
        match (mark, filled) {
            (Mark::Circle, true) => self.area.draw(&Circle::new(place, radius, fill)),
            (Mark::Circle, false) => self.area.draw(&Circle::new(place, radius, stroke)),
            (Mark::Cross, _) => {
                let strokes = [[corners[0], corners[2]], [corners[1], corners[3]]];
                let mut lines = strokes.into_iter().map(|ends| PathElement::new(ends, stroke));
                lines.try_for_each(|line| self.area.draw(&line))
            }
            (_, true) => self.area.draw(&Polygon::new(corners, fill)),
            (_, false) => {
                let closed: Vec<Place> = corners.iter().chain(&corners[..1]).copied().collect();
                self.area.draw(&PathElement::new(closed, stroke))
            }
        }
    }

    /// A filled circle that lets what is below shine through.
    pub(crate) fn dot(&self, look: Look, place: Place, radius: i32) -> Drawn {
        let style = look.color.mix(0.6).filled();
        match look.mark {
            Some(Mark::Circle) | None => self.area.draw(&Circle::new(place, radius, style)),
            Some(mark) => self.area.draw(&Polygon::new(mark.corners(place, radius), style)),
        }
    }

    fn blank(&self, from: Place, to: Place) -> Drawn {
        self.area.draw(&Rectangle::new([from, to], PAPER.filled()))
    }
}

impl Mark {
    fn corners(self, (x, y): Place, radius: i32) -> Vec<Place> {
        let (r, s) = (radius, radius * 9 / 10);
        let around: &[Place] = match self {
            Mark::Circle => &[],
            Mark::Triangle => &[(0, -r), (r, s), (-r, s)],
            Mark::Wedge => &[(0, r), (r, -s), (-r, -s)],
            Mark::Square | Mark::Cross => &[(-s, -s), (s, -s), (s, s), (-s, s)],
            Mark::Diamond => &[(0, -r - 2), (r + 2, 0), (0, r + 2), (-r - 2, 0)],
        };
        around.iter().map(|(dx, dy)| (x + dx, y + dy)).collect()
    }
}

impl Look {
    pub(crate) fn plain(color: RGBColor, width: u32) -> Self {
        Look { color, mark: None, dash: None, width }
    }

    pub(crate) fn dashed(color: RGBColor, width: u32, dash: (i32, i32)) -> Self {
        Look { color, mark: None, dash: Some(dash), width }
    }
}

/// A frame with two axes.
pub(crate) struct Frame {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) right: i32,
    pub(crate) bottom: i32,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
}

impl Frame {
    /// Where a point stands.
    pub(crate) fn place(&self, (x, y): (f64, f64)) -> Place {
        (self.column(x), self.row(y))
    }

    pub(crate) fn column(&self, x: f64) -> i32 {
        self.left + (f64::from(self.right - self.left) * self.x.share(x)).round() as i32
    }

    pub(crate) fn row(&self, y: f64) -> i32 {
        self.bottom - (f64::from(self.bottom - self.top) * self.y.share(y)).round() as i32
    }

    /// Draws the grid, the border, the numbers and what they mean.
    pub(crate) fn draw(&self, picture: &Picture, x_title: &str, y_title: &str) -> Drawn {
        self.grid(picture)?;
        for x in self.x.ticks() {
            let place = (self.column(x), self.bottom + TEXT);
            picture.text(&self.x.label(x), place, Side::Middle, INK)?;
        }
        for y in self.y.ticks() {
            let place = (self.left - TEXT / 2, self.row(y));
            picture.text(&self.y.label(y), place, Side::Right, INK)?;
        }
        let middle = ((self.left + self.right) / 2, (self.top + self.bottom) / 2);
        picture.text(x_title, (middle.0, self.bottom + TEXT * 5 / 2), Side::Middle, INK)?;
        let (place, turn) = ((TEXT * 3 / 4, middle.1), FontTransform::Rotate270);
        picture.written(y_title, place, Side::Middle, INK, turn, FontStyle::Normal)
    }

    fn grid(&self, picture: &Picture) -> Drawn {
        let columns = |values: Vec<f64>, color| {
            let mut values = values.into_iter().map(|x| self.column(x));
            values.try_for_each(|x| {
                picture.line(&[(x, self.top), (x, self.bottom)], Look::plain(color, 1))
            })
        };
        let rows = |values: Vec<f64>, color| {
            let mut values = values.into_iter().map(|y| self.row(y));
            values.try_for_each(|y| {
                picture.line(&[(self.left, y), (self.right, y)], Look::plain(color, 1))
            })
        };
        columns(self.x.faint_ticks(), FAINT_GRID)?;
        rows(self.y.faint_ticks(), FAINT_GRID)?;
        columns(self.x.ticks(), GRID)?;
        rows(self.y.ticks(), GRID)?;
        let (left, top, right, bottom) = (self.left, self.top, self.right, self.bottom);
        let border = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        picture.line(&border, Look::plain(GREY, 2))
    }

    /// A word inside the frame, on a ground that hides the grid.
    pub(crate) fn note(&self, picture: &Picture, text: &str, place: Place, side: Side) -> Drawn {
        let wide = width(text);
        let left = match side {
            Side::Left => place.0,
            Side::Middle => place.0 - wide / 2,
            Side::Right => place.0 - wide,
        };
        let (from, to) = ((left - 4, place.1 - TEXT / 2), (left + wide + 4, place.1 + TEXT / 2));
        picture.blank(from, to)?;
        picture.text(text, place, side, GREY)
    }
}
