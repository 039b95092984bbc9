//! Forgives a slip: a word that was never learned is read as the learned one that is one slip away.

use std::collections::BTreeMap;

/// Shortest word that is mended, letters: among shorter ones too many are one slip from each other.
const MENDED_MIN: usize = 5;
/// Most different words of a message that are mended.
const MENDED_MAX: usize = 64;

/// The words that were learned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// Each with its place, the most usual one first.
    places: BTreeMap<String, usize>,
}

impl Vocabulary {
    /// Of words, the most usual one first.
    pub fn new(words: impl IntoIterator<Item = String>) -> Self {
        Self { places: words.into_iter().zip(0..).collect() }
    }

    /// The words, the most usual one first.
    pub(super) fn words(&self) -> Vec<&str> {
        let mut words: Vec<_> = self.places.iter().collect();
        words.sort_by_key(|(_, place)| **place);
        words.into_iter().map(|(word, _)| word.as_str()).collect()
    }

    /// Mends the words of a message, except those that something else knows.
    pub(super) fn mend(&self, words: &mut [String], known: impl Fn(&str) -> bool) {
        let mut mended = BTreeMap::<String, Option<String>>::new();
        for word in words {
            if word.len() < MENDED_MIN || self.places.contains_key(word) || known(word) {
                continue;
            }
            if !mended.contains_key(word) {
                if mended.len() == MENDED_MAX {
                    return;
                }
                mended.insert(word.clone(), self.nearest(word));
            }
            if let Some(Some(right)) = mended.get(word) {
                right.clone_into(word);
            }
        }
    }

    /// The most usual word that is one slip away: a letter too many, one that is missing, another one, or
    /// two that changed places. The first letter is nobody's slip.
    fn nearest(&self, word: &str) -> Option<String> {
        if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return None;
        }
        let letters = word.as_bytes();
        let mut tries: Vec<Vec<u8>> = Vec::new();
        for at in 1..letters.len() {
            let (before, after) = letters.split_at(at);
            tries.push([before, &after[1..]].concat());
            if let [one, other, rest @ ..] = after {
                tries.push([before, &[*other, *one], rest].concat());
            }
            for letter in b'a'..=b'z' {
                tries.push([before, &[letter], &after[1..]].concat());
                tries.push([before, &[letter], after].concat());
            }
        }
        tries.extend((b'a'..=b'z').map(|letter| [letters, &[letter]].concat()));
        let words = tries.iter().filter_map(|word| std::str::from_utf8(word).ok());
        let known = words.filter_map(|word| self.places.get_key_value(word));
        known.min_by_key(|(_, place)| **place).map(|(word, _)| word.clone())
    }
}
