//! Any bytes as the go signal: it is read once its line is there, in whatever pieces it comes, and
//! no signal raises a limit.

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
    let signal = numbers.prop_map(|(cpu, wall, idle)| {
        let all = [("cpu_ms", cpu), ("wall_ms", wall), ("idle_ms", idle)];
        let named = all.into_iter().filter_map(|(name, number)| Some((name, json!(number?))));
        named.collect::<Value>()
    });
    signal.boxed()
}

fn read(input: &Input, cuts: &[Index]) -> Fails {
    let line = input.line();
    let mut inbox = Inbox::default();
    let mut signal = None;
    for piece in pieces(&line, cuts) {
        inbox.add(piece);
        signal = inbox.next_signal();
        if signal.is_some() {
            break;
        }
    }
    let Some(signal) = signal else { return Err(TestCaseError::fail("a whole line is a signal")) };
    let Ok(go) = signal else {
        prop_assert!(!input.is_sound(), "{signal:?}");
        return Ok("refused");
    };
    let asked = Limits::submission();
    let after = limits_after(&asked, go);
    prop_assert!(after.cpu_ms <= asked.cpu_ms && after.wall_ms <= asked.wall_ms);
    prop_assert!((1..=asked.idle_ms).contains(&after.idle_ms), "{after:?}");
    let times =
        Limits { cpu_ms: asked.cpu_ms, wall_ms: asked.wall_ms, idle_ms: asked.idle_ms, ..after };
    prop_assert_eq!(times, asked, "a signal is about time alone");
    Ok("read")
}

#[test]
fn any_bytes_are_a_signal_or_refused() {
    let target = Target { name: "sandbox-go", inputs: 500, outcomes: &["read", "refused"] };
    let inputs = (near(valid(), &["cpu_ms", "wall_ms", "idle_ms"]), vec(any::<Index>(), 0..6));
    target.run(&inputs, |(input, cuts)| read(&input, &cuts));
}
