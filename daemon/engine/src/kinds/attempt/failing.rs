//! What is done about a failure beside words (003: VERIFY): the failing run made as short as it will go,
//! and cases of the candidate's own, which run with every submission and never count.

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::attempt::{
    Event, FailureTraced, OwnCaseChecked, OwnCaseGiven, OwnCaseRemoved, OwnCasesRun, Step,
    TraceRequested,
};
use vosim_protocol::v1::effect::{Examine, Examined, ExaminedRun, Failure, Shrink, Trace, Try};
use vosim_protocol::v1::evaluation::{CaseOutcome, Evaluation, Load};
use vosim_protocol::v1::problem::Op;
use vosim_protocol::{EffectId, Wire as _};

use super::examples::unfit;
use super::state::{After, Draft, Stage, State};
use super::steps::{in_step, v2};
use crate::kind::Misfit;
use crate::parts::words::{self, MESSAGE_MAX_BYTES};
use crate::parts::{admission, verdict};
use crate::rejection::Rejection;
use crate::wanted::Wanted;

/// Most cases that are kept.
const CASES_MAX: usize = 20;
/// Most calls of one, and most bytes as JSON spells them.
const CALLS_MAX: usize = 200;
const BYTES_MAX: usize = 8 * 1024;

pub(super) fn trace(draft: &mut Draft<'_>, test_index: u32) -> Result<(), Rejection> {
    const COMMAND: &str = "trace a failed test";
    let state = draft.state();
    v2(state, COMMAND)?;
    in_step(state, COMMAND, &[Step::Verify])?;
    if !matches!(state.after, After::Nothing) {
        let because = "the last failure is being traced";
        let next = vec![Next::wait_and_see("the result", Action::Status)];
        return Err(Rejection::InvalidTransition { command: COMMAND, because, next });
    }
    if state.failed(test_index).is_none() {
        let failed = state.all_failed();
        if failed.is_empty() {
            let message = "nothing was run that could be shown call by call".to_owned();
            let next = vec![Next::run("see why", Action::Result)];
            return Err(Rejection::InvalidInput { message, next });
        }
        let name = state.test_name(test_index);
        let message = match test_index < state.tests() {
            true => format!("{name} did not fail in the last run"),
            false => format!("the last run had no test {test_index}, which would be {name}"),
        };
        let failed: Vec<_> = failed.into_iter().map(|at| state.test_name(at)).collect();
        let next = vec![Next::edit(format!("name one that failed: {}", failed.join(", ")))];
        return Err(Rejection::InvalidInput { message, next });
    }
    draft.push(Event::TraceRequested(TraceRequested { test_index }));
    Ok(())
}

pub(super) fn add(draft: &mut Draft<'_>, ops: &[Op]) -> Result<(), Rejection> {
    const COMMAND: &str = "keep a case";
    let own = &draft.state().own;
    if own.given.is_some() {
        let because = "another case is being run with the reference";
        let next = vec![Next::wait_and_see("the result", Action::Status)];
        return Err(Rejection::InvalidTransition { command: COMMAND, because, next });
    }
    if own.kept.len() >= CASES_MAX {
        let message = format!("{CASES_MAX} cases are kept already");
        return Err(Rejection::InvalidInput { message, next: vec![Next::edit("drop one first")] });
    }
    admission::at_most("the case", "calls", ops.len() as u64, CALLS_MAX)?;
    runs_of(draft.state(), "the case", ops)?;
    let (own, ops) = (&draft.state().own, ops.to_vec());
    admission::bound("the case", ops.to_line().len() as u64, BYTES_MAX)?;
    if own.kept.contains(&ops) {
        let next = vec![Next::edit("change a call or an answer")];
        return Err(Rejection::InvalidInput { message: "this case is kept already".into(), next });
    }
    draft.push(Event::OwnCaseGiven(OwnCaseGiven { ops }));
    Ok(())
}

/// Refuses calls that are no run of the problem.
pub(super) fn runs_of(state: &State, what: &str, ops: &[Op]) -> Result<(), Rejection> {
    let Some(why) = unfit(&state.spec.problem.interface, ops) else { return Ok(()) };
    let message = format!("{what} is no run of the problem's calls: {}", why.text);
    Err(Rejection::InvalidInput { message, next: vec![Next::edit("write it again")] })
}

pub(super) fn remove(draft: &mut Draft<'_>, number: u32) -> Result<(), Rejection> {
    let kept = draft.state().own.kept.len();
    if place(number).is_none_or(|at| at >= kept) {
        let message = match kept {
            0 => "no case of yours is kept".to_owned(),
            _ => format!("there is no own case {number}; they are numbered from 1 to {kept}"),
        };
        let next = vec![Next::run("see which there are", Action::Status)];
        return Err(Rejection::InvalidInput { message, next });
    }
    draft.push(Event::OwnCaseRemoved(OwnCaseRemoved { number }));
    Ok(())
}

/// Ends what is under way about the last submission, since the candidate goes on: nobody waits for it.
pub(super) fn cut_off(draft: &mut Draft<'_>) {
    let why = || Some("you went on before it was found".to_owned());
    match draft.state().after.clone() {
        After::Nothing => {}
        After::RunningOwn(_) => {
            draft.push(Event::OwnCasesRun(OwnCasesRun { evaluation: None, not_run: why() }));
        }
        After::Tracing { case, .. } => {
            let traced = FailureTraced { case, trace: None, not_traced: why() };
            draft.push(Event::FailureTraced(traced));
        }
    }
}

fn place(number: u32) -> Option<usize> {
    usize::try_from(number.checked_sub(1)?).ok()
}

impl State {
    /// The numbers of the tests that failed in the last run.
    pub(super) fn all_failed(&self) -> Vec<u32> {
        (0..self.tests()).filter(|at| self.failed(*at).is_some()).collect()
    }

    /// How many tests the last run had, with the candidate's own.
    fn tests(&self) -> u32 {
        let own = self.own.evaluation.as_ref().map_or(0, |own| own.cases.len());
        u32::try_from(self.spec.problem.cases.len() + own).unwrap_or(u32::MAX)
    }

    /// A test as it is asked for: those behind the problem's are the candidate's own, counted from 1.
    fn test_name(&self, test_index: u32) -> String {
        let cases = count(self.spec.problem.cases.len());
        match test_index.checked_sub(cases) {
            None => format!("test {test_index}"),
            Some(own) => format!("own case {}", own.saturating_add(1)),
        }
    }

    /// A test that failed in the last run, with its calls where it is the candidate's own.
    fn failed(&self, test_index: u32) -> Option<(String, Vec<Op>)> {
        let at = usize::try_from(test_index).ok()?;
        let failed = |found: &Evaluation, at: usize| {
            found.cases.get(at).filter(|case| !case.outcome.passed()).map(|case| case.name.clone())
        };
        let evaluation = self.evaluation.as_ref().filter(|found| found.load == Load::Loaded)?;
        match at.checked_sub(evaluation.cases.len()) {
            None => Some((failed(evaluation, at)?, Vec::new())),
            Some(at) => {
                let name = failed(self.own.evaluation.as_ref()?, at)?;
                Some((name, self.own.kept.get(at)?.clone()))
            }
        }
    }

    /// The failure that is told first: of a test that may be seen, then of the candidate's own, then of a
    /// hidden one whose twin fails as well.
    fn telling_failure(&self) -> Option<(String, Vec<Op>)> {
        let evaluation = self.evaluation.as_ref()?;
        let own = self.own.evaluation.iter().flat_map(|own| &own.cases);
        let infos = &self.spec.problem.cases;
        let cases = infos.iter().map(|info| info.visible).zip(&evaluation.cases);
        let numbered = cases.chain(own.map(|case| (true, case)));
        let failed = (0u32..).zip(numbered).filter(|(_, (_, case))| {
            !matches!(case.outcome, CaseOutcome::Passed | CaseOutcome::NotRun)
        });
        let order = |(visible, twin): (bool, bool)| if visible { 0 } else { 2 - u8::from(twin) };
        let first =
            failed.min_by_key(|(_, (visible, case))| order((*visible, case.twin.is_some())));
        first.and_then(|(at, _)| self.failed(at))
    }

    /// What is done about the last submission once its verdict is there.
    pub(super) fn after_verdict(&self, effect: EffectId) -> After {
        if matches!(self.stage, Stage::Done { .. }) || self.own.kept.is_empty() || !self.is_loaded()
        {
            return self.after_own_cases(effect);
        }
        After::RunningOwn(effect)
    }

    fn is_loaded(&self) -> bool {
        self.evaluation.as_ref().is_some_and(|found| found.load == Load::Loaded)
    }

    fn after_own_cases(&self, effect: EffectId) -> After {
        let stays =
            matches!(self.stage, Stage::Failed | Stage::Reflect | Stage::Challenging { .. });
        match self.telling_failure().filter(|_| stays) {
            Some((case, own)) => After::Tracing { effect, case, own },
            None => After::Nothing,
        }
    }
}

pub(super) fn take_request(
    state: &mut State,
    asked: &TraceRequested,
    effect: EffectId,
) -> Result<(), Misfit> {
    let free = matches!((&state.stage, &state.after), (Stage::Failed, After::Nothing));
    Misfit::unless(free, "a trace out of its step")?;
    let failed = state.failed(asked.test_index);
    let (case, own) = failed.ok_or(Misfit("a trace of a test that did not fail"))?;
    state.after = After::Tracing { effect, case, own };
    Ok(())
}

pub(super) fn take_trace(state: &mut State, traced: &FailureTraced) -> Result<(), Misfit> {
    let waits = matches!(state.after, After::Tracing { .. });
    Misfit::unless(waits, "a trace that nothing waits for")?;
    state.after = After::Nothing;
    state.trace = Some(traced.clone());
    Ok(())
}

pub(super) fn take_given(
    state: &mut State,
    given: &OwnCaseGiven,
    effect: EffectId,
) -> Result<(), Misfit> {
    Misfit::unless(state.own.given.is_none(), "two cases at once")?;
    state.own.given = Some((effect, given.ops.clone()));
    Ok(())
}

pub(super) fn take_check(state: &mut State, checked: &OwnCaseChecked) -> Result<(), Misfit> {
    let given = state.own.given.take();
    let (_, ops) = given.ok_or(Misfit("a case that nobody has given was checked"))?;
    if checked.number.is_some() {
        state.own.kept.push(ops);
    }
    Ok(())
}

pub(super) fn take_removal(state: &mut State, removed: OwnCaseRemoved) -> Result<(), Misfit> {
    let at = place(removed.number).filter(|at| *at < state.own.kept.len());
    let at = at.ok_or(Misfit("a case was dropped that there is not"))?;
    state.own.kept.remove(at);
    let found = state.own.evaluation.as_mut().filter(|found| at < found.cases.len());
    if let Some(found) = found {
        found.cases.remove(at);
    }
    Ok(())
}

pub(super) fn take_run(
    state: &mut State,
    run: &OwnCasesRun,
    effect: EffectId,
) -> Result<(), Misfit> {
    let waits = matches!(state.after, After::RunningOwn(_));
    Misfit::unless(waits, "own cases that nothing waits for")?;
    state.own.evaluation.clone_from(&run.evaluation);
    state.after = state.after_own_cases(effect);
    Ok(())
}

/// What these ask of the world, beside what the step does.
pub(super) fn wanted(state: &State) -> Vec<Wanted<State, Event>> {
    if matches!(state.stage, Stage::Done { .. }) {
        return Vec::new();
    }
    after(state).into_iter().chain(check(state)).collect()
}

fn after(state: &State) -> Option<Wanted<State, Event>> {
    let submitted = &state.submissions.last()?.result;
    let (code, file_path) = (submitted.code_hash, submitted.file_path.clone());
    let language = submitted.language;
    match &state.after {
        After::Nothing => None,
        After::RunningOwn(effect) => {
            let run = Try { code, file_path, language, cases: state.own.kept.clone() };
            Some(Wanted::new(*effect, run, |draft: &mut Draft<'_>, outcome| {
                draft.push(Event::OwnCasesRun(ran(outcome.map(Box::as_ref))));
            }))
        }
        After::Tracing { effect, case, own } => {
            let (name, case, own) = (case.clone(), case.clone(), own.clone());
            let shrink = Shrink { code, file_path, language, case, own };
            Some(Wanted::new(*effect, shrink, move |draft: &mut Draft<'_>, outcome| {
                let outcome = outcome.map(Box::as_ref);
                draft.push(Event::FailureTraced(traced(name.clone(), outcome)));
            }))
        }
    }
}

fn check(state: &State) -> Option<Wanted<State, Event>> {
    let (effect, ops) = state.own.given.as_ref()?;
    let examine = Examine { runs: vec![ops.clone()], reference_only: true };
    let number = count(state.own.kept.len()).saturating_add(1);
    let answers = count(ops.iter().filter(|op| op.expect.is_some()).count());
    Some(Wanted::new(*effect, examine, move |draft: &mut Draft<'_>, outcome| {
        draft.push(Event::OwnCaseChecked(checked(number, answers, outcome)));
    }))
}

fn ran(outcome: Result<&Evaluation, &Failure>) -> OwnCasesRun {
    match outcome {
        Ok(found) => OwnCasesRun {
            evaluation: Some(Box::new(verdict::bounded(found.clone()))),
            not_run: None,
        },
        Err(failure) => OwnCasesRun { evaluation: None, not_run: Some(reason(failure)) },
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn traced(case: String, outcome: Result<&Trace, &Failure>) -> FailureTraced {
    match outcome {
        Ok(trace) => FailureTraced { case, trace: Some(Box::new(trace.clone())), not_traced: None },
        Err(failure) => FailureTraced { case, trace: None, not_traced: Some(reason(failure)) },
    }
}

fn checked(number: u32, answers: u32, outcome: Result<&Examined, &Failure>) -> OwnCaseChecked {
    let run = outcome.map(|examined| examined.runs.first());
    let kept = matches!(run, Ok(Some(run)) if run.holds && run.outside.is_none());
    OwnCaseChecked {
        number: kept.then_some(number),
        answers,
        differs_at: run.ok().flatten().and_then(|run| run.differs_at),
        outside: run.ok().flatten().and_then(|run| run.outside),
        limit: run.ok().flatten().and_then(|run| run.limit.clone()),
        not_run: run.err().map(reason),
    }
}

/// The outcome that led to a check, as far as the event depends on it.
pub(super) fn examined(checked: &OwnCaseChecked) -> Result<Examined, Failure> {
    if let Some(reason) = &checked.not_run {
        return Err(Failure::new(reason.clone()));
    }
    let OwnCaseChecked { number, differs_at, outside, ref limit, .. } = *checked;
    let (holds, limit) = (number.is_some(), limit.clone());
    let run = ExaminedRun { holds, differs_at, catches: 0, shown: false, outside, limit };
    Ok(Examined { runs: vec![run], planted: 0, caught: 0 })
}

pub(super) fn reason(failure: &Failure) -> String {
    words::cut(failure.reason.clone(), MESSAGE_MAX_BYTES)
}
