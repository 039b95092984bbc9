//! Any bytes as the word: it is heard once its line is there, however it comes in pieces, and no
//! word gives more than was asked for.

use serde_json::{Value, json};
use vosim_fuzz::proptest;
use vosim_fuzz::proptest::collection::vec;
use vosim_fuzz::proptest::prelude::*;
use vosim_fuzz::proptest::sample::Index;
use vosim_fuzz::{Fails, Input, Target, near, pieces};

use super::*;

fn valid() -> BoxedStrategy<Value> {
    let number = || proptest::option::of(0u64..100_000);
    let numbers = (number(), number(), number());
    let word = numbers.prop_map(|(cpu, wall, idle)| {
        let all = [("cpu_ms", cpu), ("wall_ms", wall), ("idle_ms", idle)];
        let named = all.into_iter().filter_map(|(name, number)| Some((name, json!(number?))));
        named.collect::<Value>()
    });
    word.boxed()
}

fn hears(input: &Input, cuts: &[Index]) -> Fails {
    let line = input.line();
    let mut heard = Heard::default();
    let mut word = None;
    for piece in pieces(&line, cuts) {
        heard.add(piece);
        word = heard.word();
        if word.is_some() {
            break;
        }
    }
    let Some(word) = word else { return Err(TestCaseError::fail("a whole line is a word")) };
    let Ok(word) = word else {
        prop_assert!(!input.is_sound(), "{word:?}");
        return Ok("refused");
    };
    let asked = Limits::submission();
    let after = limits_after(&asked, word);
    prop_assert!(after.cpu_ms <= asked.cpu_ms && after.wall_ms <= asked.wall_ms);
    prop_assert!((1..=asked.idle_ms).contains(&after.idle_ms), "{after:?}");
    let times =
        Limits { cpu_ms: asked.cpu_ms, wall_ms: asked.wall_ms, idle_ms: asked.idle_ms, ..after };
    prop_assert_eq!(times, asked, "a word is about time alone");
    Ok("heard")
}

#[test]
fn any_bytes_are_a_word_or_refused() {
    let target = Target { name: "sandbox-word", inputs: 500, outcomes: &["heard", "refused"] };
    let inputs = (near(valid(), &["cpu_ms", "wall_ms", "idle_ms"]), vec(any::<Index>(), 0..6));
    target.run(&inputs, |(input, cuts)| hears(&input, &cuts));
}
