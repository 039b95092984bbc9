//! What a target is fed with: bytes that were valid JSON until somebody had an accident.

use std::fmt;
use std::ops::Deref;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use crate::damage::damage;
use crate::mutation::mutation;
use crate::tree::Tree;

/// Bytes shown of an input, at each end.
const SHOWN: usize = 600;

/// One input.
#[derive(Clone, PartialEq, Eq)]
pub struct Input {
    bytes: Vec<u8>,
    sound: bool,
}

impl Input {
    /// True when nothing was changed: then the reader must take it.
    pub const fn is_sound(&self) -> bool {
        self.sound
    }

    /// The same between what is not damaged.
    #[must_use]
    pub fn within(&self, before: &str, after: &str) -> Self {
        let bytes = [before.as_bytes(), &self.bytes, after.as_bytes()].concat();
        Self { bytes, sound: self.sound }
    }

    /// The bytes with an end of line, as a frame.
    pub fn line(&self) -> Vec<u8> {
        let mut line = self.bytes.clone();
        line.push(b'\n');
        line
    }
}

impl Deref for Input {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

/// As text, of a long one the ends.
impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, count) = (&self.bytes, self.bytes.len());
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        if count <= 2 * SHOWN {
            return write!(f, "«{}»", text(bytes));
        }
        let (head, tail) = (text(&bytes[..SHOWN]), text(&bytes[count - SHOWN..]));
        write!(f, "«{head} … ({count} bytes) … {tail}»")
    }
}

/// Valid JSON as it is, or changed in a few places, or damaged as bytes after that.
///
/// `words` are names and texts that mean something to the reader; they are put where they do not
/// belong.
pub fn near(
    valid: impl Strategy<Value = Value> + 'static,
    words: &'static [&'static str],
) -> BoxedStrategy<Input> {
    let pairs = valid.prop_map(|json| ((), json));
    near_beside(pairs, words).prop_map(|((), input)| input).boxed()
}

/// The same beside something that stays as it is, for JSON that is a part of something else.
pub fn near_beside<T: fmt::Debug + 'static>(
    valid: impl Strategy<Value = (T, Value)> + 'static,
    words: &'static [&'static str],
) -> BoxedStrategy<(T, Input)> {
    let changes = prop_oneof![
        2 => vec(mutation(words), 0..1),
        6 => vec(mutation(words), 1..3),
        2 => vec(mutation(words), 3..8),
    ];
    let accidents = prop_oneof![6 => vec(damage(), 0..1), 1 => vec(damage(), 1..3)];
    let broken = (valid, changes, accidents).prop_map(|((beside, json), changes, accidents)| {
        let mut tree = Tree::from(&json);
        for change in &changes {
            change.apply(&mut tree);
        }
        let mut bytes = tree.text().into_bytes();
        for accident in &accidents {
            accident.apply(&mut bytes);
        }
        (beside, Input { bytes, sound: changes.is_empty() && accidents.is_empty() })
    });
    broken.boxed()
}

#[cfg(test)]
mod tests {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;

    use super::*;

    #[test]
    fn a_long_input_is_shown_by_its_ends() {
        let input = Input { bytes: vec![b'['; 100_000], sound: false };
        let shown = format!("{input:?}");
        assert!(shown.len() < 2000 && shown.contains("100000 bytes"), "{shown}");
    }

    #[test]
    fn some_inputs_stay_valid_and_some_do_not() {
        let valid = Just(serde_json::json!({ "a": [1, "two", null], "b": { "c": true } }));
        let strategy = near(valid, &["a", "c"]);
        let mut runner = TestRunner::deterministic();
        let mut inputs = Vec::new();
        for _ in 0..200 {
            inputs.push(strategy.new_tree(&mut runner).unwrap().current());
        }
        let reads = |input: &&Input| serde_json::from_slice::<Value>(input).is_ok();
        let read = inputs.iter().filter(reads).count();
        assert!((60..190).contains(&read), "{read} of 200 are JSON");
        assert!(inputs.iter().filter(|input| input.is_sound()).all(|input| reads(&input)));
        assert!(inputs.iter().any(Input::is_sound));
    }
}
