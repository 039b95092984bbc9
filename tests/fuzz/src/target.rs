//! Plays rounds of one target. Each has a seed, one more than that of the round before; it is told
//! before the first and then every few seconds, so that an input that ends the whole process can be
//! found again too: `VOSIM_FUZZ_SEED` alone plays one round again, with `VOSIM_FUZZ_SECS` those from
//! there on.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::Write as _;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

/// How long a single input may take before the target counts as hung.
const PATIENCE: Duration = Duration::from_secs(120);

/// How often the seed of a round is told.
const TOLD_EVERY: Duration = Duration::from_secs(5);

/// How long a failing input may be made smaller.
const SHRINK_MILLIS: u32 = 20_000;

/// What came of an input, in one word, or why that is a fault.
pub type Fails<T = &'static str> = Result<T, TestCaseError>;

/// Something that reads what others wrote.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// What failures and figures call it.
    pub name: &'static str,
    /// Inputs in one round.
    pub inputs: u32,
    /// The words that must each occur: a target that refuses everything tests nothing.
    pub outcomes: &'static [&'static str],
}

impl Target {
    /// Plays one round, or as many as fit into `VOSIM_FUZZ_SECS`; panics with input and seed where
    /// `read` fails or panics.
    pub fn run<S: Strategy>(self, strategy: &S, read: impl Fn(S::Value) -> Fails) {
        let began = Instant::now();
        let length = number("VOSIM_FUZZ_SECS").map(Duration::from_secs);
        let random = || RandomState::new().build_hasher().finish();
        let first = number("VOSIM_FUZZ_SEED").unwrap_or_else(random);
        let watchdog = Watchdog::new(self.name);
        let mut tally = Tally::default();
        let mut told: Option<Instant> = None;
        for seed in (0..).map(|round| first.wrapping_add(round)) {
            if told.is_none_or(|at| at.elapsed() >= TOLD_EVERY) {
                say(&format!("fuzz {}: VOSIM_FUZZ_SEED={seed}\n", self.name));
                told = Some(Instant::now());
            }
            self.round(seed, strategy, &read, &watchdog, &mut tally);
            if length.is_none_or(|length| began.elapsed() >= length) {
                break;
            }
        }
        say(&format!("fuzz {}: {tally}\n", self.name));
        for word in self.outcomes {
            assert!(tally.0.contains_key(word), "{}: no input was {word}: {tally}", self.name);
        }
    }

    fn round<S: Strategy>(
        self,
        seed: u64,
        strategy: &S,
        read: &impl Fn(S::Value) -> Fails,
        watchdog: &Watchdog,
        all: &mut Tally,
    ) {
        let config = Config {
            cases: self.inputs,
            failure_persistence: None,
            max_shrink_time: SHRINK_MILLIS,
            max_shrink_iters: u32::MAX,
            ..Config::default()
        };
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &spread(seed));
        let tally = RefCell::new(Tally::default());
        let outcome = TestRunner::new_with_rng(config, rng).run(strategy, |input| {
            watchdog.alive();
            let word = read(input)?;
            tally.borrow_mut().add(word);
            Ok(())
        });
        match outcome {
            Ok(()) => {}
            Err(TestError::Fail(why, input)) => panic!(
                "{}: {why}\nsmallest input: {input:?}\nagain: VOSIM_FUZZ_SEED={seed}",
                self.name
            ),
            Err(TestError::Abort(why)) => panic!("{}: gave up: {why}", self.name),
        }
        all.join(&tally.into_inner());
    }
}

/// How many inputs came to what.
#[derive(Clone, Debug, Default)]
struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    fn add(&mut self, word: &'static str) {
        *self.0.entry(word).or_default() += 1;
    }

    fn join(&mut self, other: &Self) {
        for (word, count) in &other.0 {
            *self.0.entry(word).or_default() += count;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} inputs", self.0.values().sum::<u64>())?;
        self.0.iter().try_for_each(|(word, count)| write!(f, ", {count} {word}"))
    }
}

/// Ends the process when an input takes forever: nothing else could.
struct Watchdog {
    signs: Sender<()>,
}

impl Watchdog {
    fn new(name: &'static str) -> Self {
        let (signs, heard) = channel();
        std::thread::spawn(move || {
            loop {
                match heard.recv_timeout(PATIENCE) {
                    Ok(()) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {
                        say(&format!("fuzz {name}: one input takes more than {PATIENCE:?}\n"));
                        std::process::abort();
                    }
                }
            }
        });
        Self { signs }
    }

    fn alive(&self) {
        self.signs.send(()).expect("the watchdog outlives its target");
    }
}

/// Written at once and past the capture of the test harness, so that it is seen even when the
/// process ends.
fn say(text: &str) {
    // Nobody need be listening.
    drop(std::io::stderr().write_all(text.as_bytes()));
}

fn number(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not `{text}`")))
}

/// A seed of the length that the generator wants.
fn spread(seed: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (part, bytes) in (0u64..).zip(bytes.chunks_exact_mut(8)) {
        bytes.copy_from_slice(&seed.wrapping_add(part).to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TARGET: Target = Target { name: "test", inputs: 64, outcomes: &["small"] };

    fn said(run: impl FnOnce() + std::panic::UnwindSafe) -> String {
        let panicked = std::panic::catch_unwind(run).unwrap_err();
        panicked.downcast_ref::<String>().unwrap().clone()
    }

    #[test]
    fn a_fault_is_told_with_its_smallest_input_and_its_seed() {
        let said = said(|| {
            TARGET.run(&(0u32..10_000), |number| {
                prop_assert!(number < 100, "{number} is too much");
                Ok("small")
            });
        });
        assert!(said.contains("100 is too much"), "{said}");
        assert!(said.contains("smallest input: 100\n"), "{said}");
        assert!(said.contains("VOSIM_FUZZ_SEED="), "{said}");
    }

    #[test]
    fn a_panic_is_a_fault() {
        let said = said(|| {
            TARGET.run(&(0u32..10_000), |number| {
                assert!(number < 100);
                Ok("small")
            });
        });
        assert!(said.contains("smallest input: 100\n"), "{said}");
    }

    #[test]
    fn a_target_that_never_comes_to_a_promised_word_fails() {
        let said = said(|| TARGET.run(&(0u32..10), |_| Ok("large")));
        assert!(said.contains("no input was small: 64 inputs, 64 large"), "{said}");
    }
}
