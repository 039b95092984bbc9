//! Takes a text apart as the models of BERT's family know it: words in small letters, and parts of words that
//! stand in a vocabulary. Accents are not taken off, so a word with them is mostly unknown.

use std::collections::HashMap;

use serde::Deserialize;
use vosim_protocol::misfit;

use super::embedder::EmbedFault;

/// A longer word is unknown.
const WORD_MAX_CHARS: usize = 100;

/// A vocabulary.
#[derive(Debug)]
pub(super) struct Wordpiece {
    numbers: HashMap<String, i32>,
    unknown: i32,
    first: i32,
    last: i32,
}

/// The parts of a `tokenizer.json` that hold the vocabulary.
#[derive(Deserialize)]
struct TokenizerFile {
    model: TokenizerModel,
}

#[derive(Deserialize)]
struct TokenizerModel {
    vocab: HashMap<String, i32>,
}

impl Wordpiece {
    /// Reads a `vocab.txt`, which has a line for each part, or the `tokenizer.json` of the same model.
    pub(super) fn read(text: &str) -> Result<Self, EmbedFault> {
        let numbers = if text.trim_start().starts_with('{') {
            let file: TokenizerFile = serde_json::from_str(text).map_err(|error| {
                EmbedFault(format!("the vocabulary cannot be read: {}", misfit::words(&error)))
            })?;
            file.model.vocab
        } else {
            text.lines().map(str::to_owned).zip(0..).collect()
        };
        let number = |word: &str| {
            let number = numbers.get(word).copied();
            number.ok_or_else(|| EmbedFault(format!("the vocabulary has no {word}")))
        };
        let (unknown, first, last) = (number("[UNK]")?, number("[CLS]")?, number("[SEP]")?);
        Ok(Self { numbers, unknown, first, last })
    }

    /// The numbers of a text between those that begin and end it, so many at most.
    pub(super) fn numbers(&self, text: &str, most: usize) -> Vec<i32> {
        let mut found = vec![self.first];
        for word in words(text) {
            if found.len() >= most {
                break;
            }
            self.take_apart(&word, &mut found);
        }
        found.truncate(most.saturating_sub(1));
        found.push(self.last);
        found
    }

    /// Always the longest part that is known; a word with a part that is not is unknown as a whole.
    fn take_apart(&self, word: &str, found: &mut Vec<i32>) {
        let before = found.len();
        let mut rest = if word.chars().count() > WORD_MAX_CHARS { "" } else { word };
        while let Some((number, bytes)) = self.longest(rest, rest.len() < word.len()) {
            found.push(number);
            rest = &rest[bytes..];
        }
        if !rest.is_empty() || found.len() == before {
            found.truncate(before);
            found.push(self.unknown);
        }
    }

    fn longest(&self, rest: &str, inside_word: bool) -> Option<(i32, usize)> {
        let mut ends = rest.char_indices().rev().map(|(at, c)| at + c.len_utf8());
        let number = |end: usize| {
            let part = &rest[..end];
            let number = match inside_word {
                true => self.numbers.get(&format!("##{part}")),
                false => self.numbers.get(part),
            };
            number.map(|number| (*number, end))
        };
        ends.find_map(number)
    }
}

/// Words, and every sign as a word of its own.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in text.chars().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() {
            if let Some(word) = words.last_mut() {
                word.push(letter);
            }
            continue;
        }
        if !letter.is_whitespace() && !letter.is_control() {
            words.push(letter.to_string());
        }
        words.push(String::new());
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARTS: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nsort\n##ed\n##s\nlist\n_\n.\na\nsorts\n";

    fn wordpiece() -> Wordpiece {
        Wordpiece::read(PARTS).unwrap()
    }

    #[test]
    fn a_word_is_the_longest_parts_that_are_known() {
        for (text, numbers) in [
            ("", &[2, 3][..]),
            ("Sort a LIST.", &[2, 4, 10, 7, 9, 3]),
            ("sorted sorts", &[2, 4, 5, 11, 3]),
            ("sort_lists", &[2, 4, 8, 7, 6, 3]),
            // A part that is unknown makes the word unknown, and the next word is known again.
            ("sorting é list", &[2, 1, 1, 7, 3]),
        ] {
            assert_eq!(wordpiece().numbers(text, 99), numbers, "{text}");
        }
        let long = "a".repeat(WORD_MAX_CHARS + 1);
        assert_eq!(wordpiece().numbers(&long, 99), [2, 1, 3]);
    }

    #[test]
    fn a_long_text_is_cut_and_still_has_its_end() {
        for most in [2, 3, 4, 7] {
            let numbers = wordpiece().numbers(&"sorted ".repeat(50), most);
            assert_eq!((numbers.len(), numbers.last()), (most, Some(&3)), "{most}");
        }
    }

    #[test]
    fn both_files_of_a_model_give_the_same_vocabulary() {
        let vocab: serde_json::Map<_, _> =
            PARTS.lines().zip(0_i32..).map(|(part, at)| (part.to_owned(), at.into())).collect();
        let json =
            serde_json::json!({ "version": "1.0", "model": { "type": "x", "vocab": vocab } });
        let read = Wordpiece::read(&json.to_string()).unwrap();
        assert_eq!(read.numbers("sorted", 99), wordpiece().numbers("sorted", 99));
    }

    #[test]
    fn what_is_no_vocabulary_is_told() {
        let told = |text| Wordpiece::read(text).unwrap_err().to_string();
        assert_eq!(told("hello\n"), "the vocabulary has no [UNK]");
        assert_eq!(told("[UNK]\n[CLS]\n"), "the vocabulary has no [SEP]");
        assert!(told("{\"model\":{}}").starts_with("the vocabulary cannot be read: missing field"));
        assert!(told("{").starts_with("the vocabulary cannot be read: "));
    }
}
