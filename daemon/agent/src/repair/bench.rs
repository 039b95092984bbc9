//! Where candidates are tried: many at a time, against tests that are fixed before.

/// What one test came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// What came back is what must come back.
    Passed,
    /// Something else came back.
    Wrong,
    /// It raised an exception.
    Raised,
    /// It took longer than a test may.
    Slow,
    /// It was not reached.
    NotRun,
}

/// What a candidate came to, test by test in the order of the tests.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Outcome {
    /// As many as there are tests; all of a program that cannot be loaded are `NotRun`.
    pub tests: Vec<Test>,
}

impl Outcome {
    /// Whether there are tests and each of them passed.
    pub fn passed(&self) -> bool {
        !self.tests.is_empty() && self.tests.iter().all(|test| *test == Test::Passed)
    }

    /// How many passed.
    pub fn score(&self) -> usize {
        self.tests.iter().filter(|test| **test == Test::Passed).count()
    }

    /// Whether some test was ended by its time.
    pub fn is_slow(&self) -> bool {
        self.tests.contains(&Test::Slow)
    }
}

/// Why candidates cannot be tried any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Whoever asked has called it off.
    #[error("the repair was cancelled")]
    Cancelled,
    /// What runs candidates does not work.
    #[error("{0}")]
    Broken(String),
}

/// How long one test may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// A small part of the time, which nearly every program needs less of.
    Short,
    /// All of it.
    Full,
}

/// Runs candidates. The tests are its own: it is not told what a candidate is for.
pub trait Bench {
    /// Runs every candidate against all tests: one outcome for each, in their order.
    fn run(&mut self, candidates: &[String], patience: Patience) -> Result<Vec<Outcome>, Fault>;
}
