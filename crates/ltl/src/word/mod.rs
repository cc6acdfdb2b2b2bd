//! Words. A letter is the set of propositions that hold at a position; a word is finite, or a
//! *lasso*, an infinite word written as a prefix and a loop.

mod json;
mod read;
mod scan;
mod write;

pub use json::{LetterJson, WordJson, WordJsonError, word_from_json, word_to_json};
pub use read::read_word;
pub use write::{to_alaska, to_spot};

use crate::store::Proposition;

/// Which words a question is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WordKind {
    /// Infinite words: LTL as usual.
    #[default]
    Infinite,
    /// Finite, non-empty words: LTLf.
    Finite,
}

impl WordKind {
    /// What messages and JSON call it.
    pub fn name(self) -> &'static str {
        match self {
            WordKind::Infinite => "infinite",
            WordKind::Finite => "finite",
        }
    }
}

/// The propositions that hold at one position; all others do not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Letter(Vec<Proposition>);

impl Letter {
    /// Whether the proposition holds.
    pub fn contains(&self, proposition: Proposition) -> bool {
        self.0.binary_search(&proposition).is_ok()
    }

    /// The propositions that hold, in the order of the store.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Proposition> + '_ {
        self.0.iter().copied()
    }
}

impl FromIterator<Proposition> for Letter {
    fn from_iter<I: IntoIterator<Item = Proposition>>(propositions: I) -> Self {
        let mut held: Vec<Proposition> = propositions.into_iter().collect();
        held.sort_unstable();
        held.dedup();
        Letter(held)
    }
}

/// A finite word or a lasso.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    letters: Vec<Letter>,
    loop_start: Option<usize>,
}

impl Word {
    /// The infinite word `prefix cycle cycle ...`.
    ///
    /// # Panics
    /// When `cycle` is empty.
    pub fn lasso(prefix: Vec<Letter>, cycle: Vec<Letter>) -> Self {
        let loop_start = Some(prefix.len());
        let mut letters = prefix;
        letters.extend(cycle);
        Word::from_letters(letters, loop_start)
    }

    /// A finite word. Formulas describe non-empty ones, automata may accept the empty one.
    pub fn finite(letters: Vec<Letter>) -> Self {
        Word { letters, loop_start: None }
    }

    /// The lasso whose loop begins at a position, or the finite word of these letters.
    ///
    /// # Panics
    /// When the loop would be empty.
    pub fn from_letters(letters: Vec<Letter>, loop_start: Option<usize>) -> Self {
        let inside = loop_start.is_none_or(|start| start < letters.len());
        assert!(inside, "the loop of a lasso has a letter");
        Word { letters, loop_start }
    }

    /// Whether the word is infinite or finite.
    pub fn kind(&self) -> WordKind {
        match self.loop_start {
            Some(_) => WordKind::Infinite,
            None => WordKind::Finite,
        }
    }

    /// The letters as they are stored: prefix, then one pass through the loop.
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// How many letters are stored.
    pub fn len(&self) -> usize {
        self.letters.len()
    }

    /// Whether this is the empty finite word.
    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// Where the loop begins, if there is one.
    pub fn loop_start(&self) -> Option<usize> {
        self.loop_start
    }

    /// The letters before the loop; all of a finite word.
    pub fn prefix(&self) -> &[Letter] {
        &self.letters[..self.loop_start.unwrap_or(self.letters.len())]
    }

    /// The letters of the loop; none of a finite word.
    pub fn cycle(&self) -> &[Letter] {
        &self.letters[self.loop_start.unwrap_or(self.letters.len())..]
    }

    /// The stored position after a stored position, if there is one.
    pub fn successor(&self, position: usize) -> Option<usize> {
        match position + 1 {
            next if next < self.letters.len() => Some(next),
            _ => self.loop_start,
        }
    }

    /// The same word with `times` passes through the loop moved into the prefix.
    pub fn unrolled(&self, times: usize) -> Word {
        let mut letters = self.letters.clone();
        for _ in 0..times {
            letters.extend_from_slice(self.cycle());
        }
        let moved = times * self.cycle().len();
        Word { letters, loop_start: self.loop_start.map(|start| start + moved) }
    }

    /// The word restricted to these propositions, which are sorted.
    pub fn restricted(&self, propositions: &[Proposition]) -> Word {
        let among = |p: &Proposition| propositions.binary_search(p).is_ok();
        let restrict = |letter: &Letter| letter.iter().filter(among).collect();
        Word { letters: self.letters.iter().map(restrict).collect(), loop_start: self.loop_start }
    }

    /// The same word in the fewest letters: the loop is not a repetition of a shorter one, and no
    /// letter of the prefix could be part of the loop.
    pub fn shortened(mut self) -> Word {
        let Some(start) = self.loop_start else { return self };
        self.letters.truncate(start + period(&self.letters[start..]));
        let mut cycle = self.letters.split_off(start);
        // If the letter before the loop equals the loop's last one, the loop can begin one position
        // earlier.
        let (mut rolled, length) = (0, cycle.len());
        while self.letters.last() == Some(&cycle[length - 1 - rolled % length])
            && self.letters.pop().is_some()
        {
            rolled += 1;
        }
        cycle.rotate_right(rolled % length);
        Word::lasso(self.letters, cycle)
    }
}

/// The length of the shortest word of which `letters` is a repetition ([KMP77]).
fn period(letters: &[Letter]) -> usize {
    let mut borders = vec![0; letters.len()];
    for end in 1..letters.len() {
        let mut border: usize = borders[end - 1];
        while border > 0 && letters[border] != letters[end] {
            border = borders[border - 1];
        }
        borders[end] = border + usize::from(letters[border] == letters[end]);
    }
    let candidate = letters.len() - borders.last().copied().unwrap_or(0);
    if letters.len().is_multiple_of(candidate) { candidate } else { letters.len() }
}
