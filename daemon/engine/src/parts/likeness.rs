//! How alike two sentences are: what words, pairs of words and pieces of words they share, and how rare these
//! are among the sentences of one book.

use std::collections::{BTreeMap, BTreeSet};

use crate::parts::hearing::{hash, root};
use crate::parts::text::words;

/// The likeness of what is wholly alike.
const ALIKE: u64 = 1000;

/// The length of one text's direction.
const UNIT: u64 = 1 << 10;

/// What a word, a pair of words, a piece of a word and a question mark count, percent.
const SORTS: [u64; 4] = [100, 80, 35, 30];
const WORD: u32 = 0;
const PAIR: u32 = 1;
const PIECE: u32 = 2;
const MARK: u32 = 3;
/// How long pieces of words are, characters.
const PIECES: [usize; 2] = [3, 4];

/// What a feature counts beyond how rare it is, in parts of [`BIT`].
const LEAST: u64 = 184;
/// One step of rarity: twice as rare.
const BIT: u64 = 256;

/// The features of a text, each once, in order; the two lowest bits of one say of which sort it is.
fn seen(text: &str) -> Vec<u32> {
    let none = BTreeSet::new();
    let roots: Vec<_> = words(text).iter().map(|word| root(word, &none)).collect();
    let mut found = Vec::new();
    let mut take = |sort: u32, text: &str| found.push((hash("", text) & !3) | sort);
    for root in &roots {
        take(WORD, root);
        let padded = format!("^{root}$");
        let starts: Vec<_> =
            padded.char_indices().map(|(at, _)| at).chain([padded.len()]).collect();
        for length in PIECES {
            for ends in starts.windows(length + 1) {
                take(PIECE, &padded[ends[0]..ends[length]]);
            }
        }
    }
    for pair in roots.windows(2) {
        take(PAIR, &pair.join(" "));
    }
    if text.contains(['?', '？']) {
        take(MARK, "?");
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Gives features numbers in the order in which they are met, and counts the texts that have each; it may go
/// on where another, which stays as it is, ends.
#[derive(Debug, Default)]
pub(crate) struct Book<'b> {
    before: Option<&'b Self>,
    /// Of the features that the book before has not.
    numbers: BTreeMap<u32, usize>,
    counts: Vec<u64>,
    sorts: Vec<usize>,
    texts: u64,
}

/// The features of a text by their numbers.
pub(crate) type Entry = Vec<usize>;

impl<'b> Book<'b> {
    pub(crate) fn after(before: &'b Self) -> Self {
        Self {
            before: Some(before),
            numbers: BTreeMap::new(),
            counts: before.counts.clone(),
            sorts: before.sorts.clone(),
            texts: before.texts,
        }
    }

    pub(crate) fn enter(&mut self, text: &str) -> Entry {
        self.texts += 1;
        let number = |feature: u32| {
            let number = self.number(feature).unwrap_or_else(|| {
                let next = self.counts.len();
                self.numbers.insert(feature, next);
                self.counts.push(0);
                self.sorts.push(sort(feature));
                next
            });
            self.counts[number] += 1;
            number
        };
        seen(text).into_iter().map(number).collect()
    }

    fn number(&self, feature: u32) -> Option<usize> {
        let before = self.before.and_then(|before| before.number(feature));
        before.or_else(|| self.numbers.get(&feature).copied())
    }

    /// What each feature counts: the rarer among all texts, the more.
    pub(crate) fn weights(self) -> Weights<'b> {
        let most = usize::try_from(self.texts).unwrap_or(0);
        let rarity: Vec<_> =
            (1..=self.texts + 1).map(|count| doublings(self.texts + 1, count) + LEAST).collect();
        let weight = |(count, sort): (&u64, &usize)| {
            let count = usize::try_from(*count).unwrap_or(most);
            rarity[count] * SORTS[*sort] / 100
        };
        let weights = self.counts.iter().zip(&self.sorts).map(weight).collect();
        Weights { book: self, weights }
    }
}

/// What the features of a book count.
#[derive(Debug)]
pub(crate) struct Weights<'b> {
    book: Book<'b>,
    weights: Vec<u64>,
}

/// What several texts have in common, as a direction of features.
#[derive(Debug)]
pub(crate) struct Direction {
    /// How long their directions are together, where each alone is [`UNIT`]: the more alike they are, the longer.
    length: u64,
}

impl Direction {
    /// How alike a text is to all of them together, from the sum of its likenesses to each.
    pub(crate) fn of(&self, likenesses: u64) -> u64 {
        likenesses * UNIT / self.length
    }
}

/// A text that is compared with many.
#[derive(Debug)]
pub(crate) struct Compared {
    /// What each feature counts that it has; nothing for others.
    weights: Vec<u64>,
    length: u64,
}

impl Weights<'_> {
    /// The length of a text as a direction of features.
    pub(crate) fn length(&self, entry: &[usize]) -> u64 {
        entry.iter().map(|number| self.weights[*number].pow(2)).sum::<u64>().isqrt().max(1)
    }

    /// The direction of several texts together, each with its length.
    pub(crate) fn direction<'e>(
        &self,
        entries: impl Iterator<Item = (&'e [usize], u64)>,
    ) -> Direction {
        let mut together = vec![0; self.weights.len()];
        for (entry, length) in entries {
            for number in entry {
                together[*number] += self.weights[*number] * UNIT / length;
            }
        }
        let length = together.iter().map(|part| part.pow(2)).sum::<u64>().isqrt();
        Direction { length: length.max(1) }
    }

    /// The features of a text, but those that the book has not.
    pub(crate) fn entry(&self, text: &str) -> Entry {
        seen(text).into_iter().filter_map(|feature| self.book.number(feature)).collect()
    }

    /// A text of which only the features count that the book has.
    pub(crate) fn compared(&self, text: &str) -> Compared {
        let entry = self.entry(text);
        let mut weights = vec![0; self.weights.len()];
        for number in &entry {
            weights[*number] = self.weights[*number];
        }
        Compared { weights, length: self.length(&entry) }
    }
}

impl Compared {
    /// How alike it is to a text of this length: 0 to [`ALIKE`].
    pub(crate) fn likeness(&self, entry: &[usize], length: u64) -> u64 {
        let common: u64 = entry.iter().map(|number| self.weights[*number].pow(2)).sum();
        common * ALIKE / (self.length * length)
    }
}

fn sort(feature: u32) -> usize {
    usize::try_from(feature & 3).unwrap_or(0)
}

/// How often `of` doubles to become `whole`, in parts of [`BIT`], rounded down.
fn doublings(whole: u64, of: u64) -> u64 {
    // The ratio as a number between one and two, times two to the whole doublings.
    let mut ratio = (whole << 32) / of.max(1);
    let mut found = 0;
    while ratio >= 2 << 32 {
        ratio >>= 1;
        found += BIT;
    }
    let mut part = BIT / 2;
    while part > 0 {
        ratio = u64::try_from((u128::from(ratio) * u128::from(ratio)) >> 32).unwrap_or(u64::MAX);
        if ratio >= 2 << 32 {
            ratio >>= 1;
            found += part;
        }
        part /= 2;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doublings_are_those_of_the_logarithm() {
        for (whole, of, expected) in
            [(8, 1, 768), (8, 8, 0), (3, 2, 149), (1000, 7, 1832), (7, 8, 0)]
        {
            assert_eq!(doublings(whole, of), expected, "{whole} of {of}");
        }
    }

    #[test]
    fn a_text_is_wholly_like_itself_and_not_at_all_like_what_shares_nothing() {
        let mut first = Book::default();
        first.enter("How large can it be?");
        let mut book = Book::after(&first);
        let texts = ["How large can it be?", "zzz qqq", "May keys be negative?"];
        let entries = texts.map(|text| book.enter(text));
        let weights = book.weights();
        let like = |one: usize, other: usize| {
            let compared = weights.compared(texts[one]);
            compared.likeness(&entries[other], weights.length(&entries[other]))
        };
        assert!((ALIKE - 2..=ALIKE).contains(&like(0, 0)), "{}", like(0, 0));
        assert_eq!(like(0, 1), 0);
        assert!(like(0, 2) > 0 && like(0, 2) < 300, "{}", like(0, 2));
    }
}
