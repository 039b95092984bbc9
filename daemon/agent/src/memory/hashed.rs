//! The embedder that needs nothing: words, pairs of words, pieces of words and what words mean, each
//! counted at a place that its hash names.
//!
//! All numbers are whole, so every machine makes the same vector of a text.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::embedder::{EmbedFault, Embedder, EmbedderId, Scale, Vector};
use super::words::{stem, words};

const SIZE: usize = 1_024;

/// Words that say nothing of what a text is about.
const EMPTY: &str = "a an the of to in on for with and or is are be by as at it its that this which \
    from into not no so only each one two if than then when while who whose without using use used \
    small simple given";

/// Words that are in most texts about programs.
const LIGHT: &str = "build write implement create make program tool function class file line error \
    module test assert python js py mjs return def self";

const CONCEPTS: &str = include_str!("../../data/memory/concepts.txt");

// How much each kind of feature counts.
const WORD: i32 = 8;
const LIGHT_WORD: i32 = 2;
const SIGN: i32 = 1;
const PIECE: i32 = 2;
const LIGHT_PIECE: i32 = 1;
const PAIR: i32 = 3;
const CONCEPT: i32 = 8;

/// Counts hashed features.
#[derive(Debug)]
pub struct Hashed {
    id: EmbedderId,
    empty: BTreeSet<&'static str>,
    light: BTreeSet<String>,
    /// The lines of the table that the stem of a word is on.
    concepts: HashMap<String, Vec<usize>>,
}

impl Default for Hashed {
    fn default() -> Self {
        let mut concepts = HashMap::<_, Vec<_>>::new();
        for (line, words) in CONCEPTS.lines().skip(1).enumerate() {
            for word in words.split_whitespace() {
                concepts.entry(stem(word)).or_default().push(line);
            }
        }
        Self {
            id: EmbedderId("hashed-1".to_owned()),
            empty: EMPTY.split_whitespace().collect(),
            light: LIGHT.split_whitespace().map(stem).collect(),
            concepts,
        }
    }
}

impl Hashed {
    /// What is measured on the shipped samples; a test holds it to them.
    pub(super) const SCALE: Scale = Scale { failures: 0.179, tasks: 0.153 };

    /// Makes the vector of a text.
    pub(super) fn vector(&self, text: &str) -> Vector {
        let mut counts = vec![0; SIZE];
        for (feature, weight) in self.features(text) {
            let hash = hash(feature.as_bytes());
            let place = usize::try_from(hash % 1_024).unwrap_or(0);
            counts[place] += if hash >> 60 & 1 == 1 { weight } else { -weight };
        }
        Vector::from_counts(&counts)
    }

    fn features(&self, text: &str) -> BTreeMap<String, i32> {
        let said: Vec<_> = words(text)
            .into_iter()
            .filter(|word| !self.empty.contains(word.as_str()))
            .map(|word| stem(&word))
            .collect();
        let mut features = BTreeMap::new();
        let mut times = BTreeMap::<_, i32>::new();
        for word in &said {
            *times.entry(word.as_str()).or_default() += 1;
        }
        for (word, times) in times {
            // A word that is repeated counts more, but never several times as much.
            let weight = self.weight(word) * (times.min(4) + 1) / 2;
            features.insert(format!("w{word}"), weight);
            for piece in pieces(word) {
                let weight = if self.light.contains(word) { LIGHT_PIECE } else { PIECE };
                *features.entry(format!("c{piece}")).or_default() += weight;
            }
            for concept in self.concepts.get(word).into_iter().flatten() {
                features.insert(format!("k{concept}"), CONCEPT);
            }
        }
        for pair in said.windows(2) {
            *features.entry(format!("b{}", pair.join(" "))).or_default() += PAIR;
        }
        features
    }

    fn weight(&self, word: &str) -> i32 {
        if !word.starts_with(char::is_alphabetic) {
            SIGN
        } else if self.light.contains(word) {
            LIGHT_WORD
        } else {
            WORD
        }
    }
}

impl Embedder for Hashed {
    fn id(&self) -> &EmbedderId {
        &self.id
    }

    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vector>, EmbedFault> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }

    fn scale(&self) -> Option<Scale> {
        Some(Self::SCALE)
    }
}

/// Every three and four letters in a row, with the ends of the word marked.
fn pieces(word: &str) -> Vec<String> {
    if !word.starts_with(char::is_alphabetic) {
        return Vec::new();
    }
    let letters: Vec<_> = format!("<{word}>").chars().collect();
    let of = |size| letters.windows(size).map(|piece| piece.iter().collect());
    of(3).chain(of(4)).collect()
}

/// FNV-1a, and then a step that lets every bit depend on every other.
fn hash(bytes: &[u8]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ hash >> 33
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(a: &str, b: &str) -> f64 {
        let hashed = Hashed::default();
        hashed.vector(a).cosine(&hashed.vector(b))
    }

    #[test]
    fn the_vector_of_a_text_never_changes() {
        let text = "KeyError: 'email'\nreturn user[\"email\"].lower() == 0x7f";
        let kept = serde_json::to_vec(&Hashed::default().vector(text)).unwrap();
        // Vectors are kept: a change here needs another name for the embedder.
        assert_eq!(hash(&kept), 1_603_746_549_413_099_570);
    }

    #[test]
    fn what_is_said_decides_and_not_how() {
        assert!((cosine("Sorts the NAMES", "sorting names") - 1.0).abs() < 1e-9);
        let task = "Write a cache that throws out the least recently used entry";
        let near = cosine(task, "Implement an LRU cache: least recently used goes first");
        let far = cosine(task, "Convert integers to Roman numerals");
        assert!(near > 0.4 && far < 0.2, "{near} {far}");
        // Words with one meaning have something in common.
        assert!(
            cosine("remove an item", "delete things") > cosine("remove an item", "paint things")
        );
    }

    #[test]
    fn any_text_has_a_vector() {
        for text in ["", " ", "🎲", "the", &"x".repeat(10_000), "\0\u{202e}", "((((("] {
            assert!(cosine(text, text) <= 1.0 + 1e-9);
        }
    }
}
