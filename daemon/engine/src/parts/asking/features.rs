//! What two sentences have in common, and how much that says.

use std::collections::{BTreeMap, BTreeSet};

use super::ALIKE;
use crate::parts::hearing::{hash, root};
use crate::parts::text::words;

/// The features of a text, each once, in order; the two lowest bits of one say of which sort it is.
pub(super) type Seen = Vec<u32>;

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

/// The features of a text.
pub(super) fn seen(text: &str) -> Seen {
    let none = BTreeSet::new();
    let roots: Vec<_> = words(text).iter().map(|word| root(word, &none)).collect();
    let mut found = BTreeSet::new();
    let mut take = |sort: u32, text: &str| found.insert((hash("", text) & !3) | sort);
    for root in &roots {
        take(WORD, root);
        let padded: Vec<char> = format!("^{root}$").chars().collect();
        for length in PIECES {
            for piece in padded.windows(length) {
                take(PIECE, &piece.iter().collect::<String>());
            }
        }
    }
    for pair in roots.windows(2) {
        take(PAIR, &pair.join(" "));
    }
    if text.contains(['?', '？']) {
        take(MARK, "?");
    }
    found.into_iter().collect()
}

/// How rare each feature is among all ways of asking.
#[derive(Debug)]
pub(super) struct Rarity {
    weights: BTreeMap<u32, u64>,
}

impl Rarity {
    pub(super) fn new<'s>(all: impl Iterator<Item = &'s Seen>) -> Self {
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        let mut total = 1_u64;
        for seen in all {
            total += 1;
            for feature in seen {
                *counts.entry(*feature).or_default() += 1;
            }
        }
        let weight = |(feature, count): (u32, u64)| {
            let sort = SORTS[usize::try_from(feature & 3).unwrap_or(0)];
            (feature, (doublings(total, count + 1) + LEAST) * sort / 100)
        };
        Self { weights: counts.into_iter().map(weight).collect() }
    }

    /// The features that any way has, with what they count, and the length of all together.
    pub(super) fn weighed(&self, seen: &Seen) -> (BTreeMap<u32, u64>, u64) {
        let weighed = |feature: &u32| Some((*feature, *self.weights.get(feature)?));
        (seen.iter().filter_map(weighed).collect(), self.length(seen))
    }

    /// The length of a text as a direction of features.
    pub(super) fn length(&self, seen: &Seen) -> u64 {
        let squares = seen.iter().filter_map(|feature| self.weights.get(feature)).map(|it| it * it);
        squares.sum::<u64>().isqrt().max(1)
    }
}

/// How alike a text and a way are: 0 to [`ALIKE`].
pub(super) fn likeness(text: &(BTreeMap<u32, u64>, u64), way: &Seen, length: u64) -> u64 {
    let (weighed, own) = text;
    let common: u64 = way.iter().filter_map(|feature| weighed.get(feature)).map(|it| it * it).sum();
    common * ALIKE / (own * length)
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
        let texts = ["How large can it be?", "zzz qqq", "May keys be negative?"];
        let all: Vec<_> = texts.iter().map(|text| seen(text)).collect();
        let rarity = Rarity::new(all.iter());
        let like = |one: usize, other: usize| {
            likeness(&rarity.weighed(&all[one]), &all[other], rarity.length(&all[other]))
        };
        assert!((ALIKE - 2..=ALIKE).contains(&like(0, 0)));
        assert_eq!(like(0, 1), 0);
        assert!(like(0, 2) > 0 && like(0, 2) < 300);
    }
}
