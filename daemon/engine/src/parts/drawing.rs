//! By which cases a session's submissions are judged: hidden inputs are drawn once, when the first
//! submission needs them (DECISIONS 41).

use vosim_protocol::Hash;
use vosim_protocol::v1::effect::{Drawn, Failure};
use vosim_protocol::v1::judging::SuiteDrawn;
use vosim_protocol::v1::problem::DrawnInputs;

use crate::parts::words::{self, MESSAGE_MAX_BYTES};

/// The case data of a session.
#[derive(Clone, Copy, Debug, Default)]
pub struct Suites {
    drawn: Option<Hash>,
}

impl Suites {
    /// The case data to judge by; none while they have yet to be drawn.
    pub fn current(self, embedded: Hash, draw: Option<&DrawnInputs>) -> Option<Hash> {
        if draw.is_none() { Some(embedded) } else { self.drawn }
    }

    /// Takes what was drawn; none where that had been done before.
    pub fn take(&mut self, drawn: &SuiteDrawn) -> Option<()> {
        self.drawn.replace(drawn.suite).is_none().then_some(())
    }
}

/// What a draw came to; where it failed, the cases that come with the problem are as good.
pub fn drawn(embedded: Hash, outcome: Result<&Drawn, &Failure>) -> SuiteDrawn {
    match outcome {
        Ok(drawn) => SuiteDrawn { suite: drawn.suite, embedded_because: None },
        Err(failure) => {
            let reason = failure.reason.trim_end_matches('.').to_owned();
            let reason = words::cut(reason, MESSAGE_MAX_BYTES);
            SuiteDrawn { suite: embedded, embedded_because: Some(reason) }
        }
    }
}

/// The outcome of the draw that led to this event.
pub fn outcome(drawn: &SuiteDrawn) -> Result<Drawn, Failure> {
    match &drawn.embedded_because {
        None => Ok(Drawn { suite: drawn.suite }),
        Some(reason) => Err(Failure::new(reason.as_str())),
    }
}
