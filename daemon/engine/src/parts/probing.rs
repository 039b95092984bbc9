//! The time per operation of what has passed: which measurements are under way, and what came of them.

use vosim_protocol::v1::effect::{Failure, Probe};
use vosim_protocol::v1::evaluation::GrowthPoint;
use vosim_protocol::v1::judging::{EvalResult, GrowthMeasured, GrowthProbeStarted};
use vosim_protocol::v1::problem::{Interface, Language, Problem};
use vosim_protocol::{EffectId, Hash};

use crate::parts::growth::growth;
use crate::parts::memory::Submissions;
use crate::parts::words::{self, MESSAGE_MAX_BYTES};

/// Most sizes at which the time per operation is measured.
const GROWTH_POINTS_MAX: usize = 32;

/// What is measured of a verdict: a pass, where the problem says how.
pub fn begins(
    problem: &Problem,
    result: &EvalResult,
    (code_hash, language): (Hash, Language),
) -> Option<GrowthProbeStarted> {
    let attempt_number = result.attempt_number;
    let measured = result.passed && problem.growth.is_some();
    measured.then_some(GrowthProbeStarted { attempt_number, code_hash, language })
}

/// A measurement on its way.
#[derive(Clone, Debug)]
pub struct Probing {
    /// What it waits for.
    pub effect: EffectId,
    /// What is measured.
    pub started: GrowthProbeStarted,
    /// Where the candidate's file stands.
    pub file_path: String,
}

impl Probing {
    /// What is asked of the world.
    pub fn probe(&self) -> Probe {
        let GrowthProbeStarted { code_hash, language, .. } = self.started;
        Probe { code: code_hash, file_path: self.file_path.clone(), language }
    }

    /// The figures are there, or the reason why there are none.
    pub fn measured(
        &self,
        problem: &Problem,
        outcome: Result<&Vec<GrowthPoint>, &Failure>,
    ) -> GrowthMeasured {
        let points = outcome.into_iter().flatten().take(GROWTH_POINTS_MAX);
        let points: Vec<_> = points.cloned().collect();
        let reason = outcome.err();
        GrowthMeasured {
            attempt_number: self.started.attempt_number,
            size: size_name(&problem.interface).to_owned(),
            growth: growth(&points),
            points,
            reason: reason.map(|failure| words::cut(failure.reason.clone(), MESSAGE_MAX_BYTES)),
        }
    }
}

/// What the problem calls the size that a growth probe varies.
fn size_name(interface: &Interface) -> &str {
    let first = match interface {
        Interface::Class { constructor, .. } => constructor.first(),
        Interface::Function(function) => function.params.first(),
    };
    first.map_or("size", |param| &param.name)
}

/// The measurements of a session.
#[derive(Clone, Debug, Default)]
pub struct Probes {
    /// What follows from the last verdict and has not begun.
    due: Option<GrowthProbeStarted>,
    pending: Vec<Probing>,
    latest: Option<GrowthMeasured>,
}

impl Probes {
    /// Those that are under way, oldest first.
    pub fn pending(&self) -> &[Probing] {
        &self.pending
    }

    /// The measurement that follows from the last verdict, until it begins.
    pub fn due(&self) -> Option<&GrowthProbeStarted> {
        self.due.as_ref()
    }

    /// Takes note of what follows from a verdict.
    pub fn judged(&mut self, problem: &Problem, result: &EvalResult, code: (Hash, Language)) {
        self.due = begins(problem, result, code);
    }

    /// That of the latest submission, in whatever order they came.
    pub fn latest(&self) -> Option<&GrowthMeasured> {
        self.latest.as_ref()
    }

    /// Takes one that has begun; None where the code was not judged.
    #[must_use]
    pub fn start(
        &mut self,
        started: &GrowthProbeStarted,
        effect: EffectId,
        submissions: &Submissions,
    ) -> Option<()> {
        let file_path = submissions.of_code(started.code_hash)?.result.file_path.clone();
        self.pending.push(Probing { effect, started: started.clone(), file_path });
        self.due = None;
        Some(())
    }

    /// Takes what came of one; None where nobody waits for it.
    #[must_use]
    pub fn take(&mut self, measured: &GrowthMeasured) -> Option<()> {
        let place = self.pending.iter().position(|probing| is_of(probing, measured))?;
        self.pending.remove(place);
        let latest = self.latest().map_or(0, |latest| latest.attempt_number);
        if measured.attempt_number >= latest {
            self.latest = Some(measured.clone());
        }
        Some(())
    }

    /// The effect that figures came from.
    pub fn effect(&self, measured: &GrowthMeasured) -> Option<EffectId> {
        let probing = self.pending.iter().find(|probing| is_of(probing, measured));
        probing.map(|probing| probing.effect)
    }
}

/// How an effect ended that figures came from.
///
/// # Errors
/// The reason why there are none.
pub fn outcome(measured: &GrowthMeasured) -> Result<Vec<GrowthPoint>, Failure> {
    match &measured.reason {
        Some(reason) => Err(Failure::new(reason.clone())),
        None => Ok(measured.points.clone()),
    }
}

fn is_of(probing: &Probing, measured: &GrowthMeasured) -> bool {
    probing.started.attempt_number == measured.attempt_number
}

#[cfg(test)]
pub(crate) mod tests {
    use vosim_protocol::v1::effect::EffectOutcome;

    use super::*;

    /// What a probe finds: three times, or `-` with the reason why it finds none.
    pub(crate) fn growth(text: &str) -> EffectOutcome {
        if let Some(reason) = text.strip_prefix("- ") {
            return EffectOutcome::Probe(Err(Failure::new(reason)));
        }
        let nanos = text.split(' ').map(|nanos| nanos.parse().unwrap());
        let points = [1_000, 4_000, 16_000].into_iter().zip(nanos);
        EffectOutcome::Probe(Ok(points.map(|(size, nanos)| GrowthPoint { size, nanos }).collect()))
    }
}
