//! What a terminal may show of an interview (001 9).
//!
//! The candidate and whoever reads along see the same. Coverage and budget are shown to the
//! interviewer alone, so that nobody talks towards a meter; `log` and `why` tell them to whoever asks
//! on purpose (DECISIONS 28).
//!
//! A view holds the newest entries and verdicts that fit into a frame, counted as JSON spells
//! them.

use vosim_protocol::v1::interview::{
    AllowedAction, AssistantView, Command, CurrentSection, SectionLine, SectionState as Standing,
    Turn, View, WatchView,
};
use vosim_protocol::{Role, Time};

use crate::parts::permission::may;

use super::section::OpenSection;
use super::sequence::millis;
use super::state::{Presence, Stage, State};

/// The view at a time.
pub(super) fn view(state: &State, role: Role, at: Time) -> View {
    let schema = &state.spec.schema;
    let (history, history_omitted) = state.submissions.newest();
    let upcoming = schema.sections.iter().skip(state.begun());
    View {
        session_id: state.id,
        problem_id: state.spec.problem.id.clone(),
        title: state.spec.problem.title.clone(),
        candidate_id: state.spec.candidate.clone(),
        phase: state.phase(),
        at,
        started: state.started(),
        current_section: state.open().map(|section| current(state, section, role, at)),
        sections: lines(state),
        upcoming_sections: upcoming.map(|section| section.title.clone()).collect(),
        grace_until: state.in_grace().map(|(_, until)| until).filter(|until| *until >= at),
        pauses_at: match state.presence {
            Presence::Away { pauses_at, .. } if state.open().is_some() => Some(pauses_at),
            Presence::Away { .. }
            | Presence::Unattached
            | Presence::Here
            | Presence::Paused { .. } => None,
        },
        typing_until: state.open().and_then(|section| section.typing),
        allowed_actions: allowed_to(role, state),
        evaluating: state.judging.first().map(|judging| judging.submission.attempt_number),
        history,
        history_omitted,
        testing: state.testing.is_some(),
        own_tests: state.own_tests.clone(),
        hint_levels: state.hints.given().map(|hint| hint.request.hint_level).collect(),
        watched: state.watch.as_ref().map(|watch| WatchView {
            file_path: watch.watched.file_path.clone(),
            language: watch.watched.language,
            saves: watch.saves,
            full: state.saves.full(),
            last_save: watch.last.as_ref().map(|(at, _)| *at),
            code_hash: watch.last.as_ref().map(|(_, saved)| saved.code_hash),
            lost: watch.lost,
        }),
        assistant: AssistantView {
            queries: state.assistant.queries,
            violations: state.assistant.violations,
            pending: state.asked.as_ref().map(|asked| asked.kind),
        },
        accommodation: accommodation(state),
        ended: match state.stage {
            Stage::Completed { at, .. } | Stage::Terminated { at, .. } => Some(at),
            Stage::NotStarted
            | Stage::Open { .. }
            | Stage::Between { .. }
            | Stage::Closing { .. } => None,
        },
    }
}

/// Where the interview stands after a command that opened a section, or none.
pub(super) fn turn(state: &State, opened: Option<&OpenSection>, at: Time) -> Turn {
    Turn {
        opened: opened.map(|section| current(state, section, Role::Candidate, at)),
        sections: u32::try_from(state.spec.schema.sections.len()).unwrap_or(u32::MAX),
        allowed_actions: allowed(state),
        over: state.over(),
    }
}

fn current(state: &State, section: &OpenSection, role: Role, at: Time) -> CurrentSection {
    let (plan, contents) = (section.plan(&state.spec.schema), &section.contents);
    let interviewer = role == Role::Interviewer;
    CurrentSection {
        section_id: plan.id.clone(),
        title: plan.title.clone(),
        number: u32::try_from(contents.place + 1).unwrap_or(u32::MAX),
        goal: plan.goal.clone(),
        substate: section.substate(),
        started: section.started,
        deadline: contents.deadline,
        time_remaining_ms: millis(contents.deadline.micros_since(at)),
        question: section.question().map(str::to_owned),
        ends_at: section.ends_at,
        coding: plan.coding,
        followups_asked: interviewer.then_some(contents.asked),
        followup_cap: interviewer.then_some(plan.followup_cap),
        coverage: interviewer.then(|| contents.coverage.map()),
        required: interviewer.then(|| {
            let required = plan.dimensions.iter().filter(|dimension| dimension.required);
            required.map(|dimension| dimension.id.clone()).collect()
        }),
    }
}

fn lines(state: &State) -> Vec<SectionLine> {
    let plans = state.spec.schema.sections.iter().enumerate();
    plans
        .map(|(place, plan)| {
            let ended = state.ended.get(place);
            let standing = match ended {
                Some(_) => Standing::Ended,
                None if place < state.begun() => Standing::Current,
                None => Standing::Upcoming,
            };
            SectionLine {
                section_id: plan.id.clone(),
                title: plan.title.clone(),
                duration_ms: millis(state.granted_micros(plan.duration_seconds)),
                state: standing,
                exit_reason: ended.map(|ended| ended.reason),
                summary: ended.map_or(Vec::new(), |section| section.summary().to_vec()),
            }
        })
        .collect()
}

fn accommodation(state: &State) -> Option<String> {
    let granted = state.spec.accommodation;
    let time = (granted.time_percent != 100).then(|| format!("{}% time", granted.time_percent));
    let warnings = granted.larger_warnings.then(|| "earlier warnings".to_owned());
    let parts: Vec<_> = time.into_iter().chain(warnings).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// True in the grace after the coding section's time, unless something of it is being judged.
fn takes_late_file(state: &State) -> bool {
    state.in_grace().is_some_and(|(section, _)| section.plan(&state.spec.schema).coding)
        && state.judging.is_empty()
        && state.capture().is_none()
}

/// What a role may ask for now: of what is possible, the commands that are given to it.
fn allowed_to(role: Role, state: &State) -> Vec<AllowedAction> {
    let mut allowed = allowed(state);
    allowed.retain(|action| may::<Command>(role, command(*action)));
    allowed
}

/// The command that an action is.
fn command(action: AllowedAction) -> &'static str {
    match action {
        AllowedAction::Begin => "begin",
        AllowedAction::Chat => "say",
        AllowedAction::Code => "test",
        AllowedAction::Submit => "submit",
        AllowedAction::AskAssistant => "ask",
        AllowedAction::Hint => "hint",
        AllowedAction::Done => "done",
        AllowedAction::End => "end",
    }
}

fn allowed(state: &State) -> Vec<AllowedAction> {
    use AllowedAction::{AskAssistant, Begin, Chat, Code, Done, End, Hint, Submit};
    match state.stage {
        Stage::NotStarted => vec![Begin, End],
        Stage::Closing { .. } if state.in_grace().is_some() => {
            let mut allowed = vec![Chat];
            allowed.extend(takes_late_file(state).then_some(Submit));
            allowed
        }
        Stage::Closing { .. } | Stage::Completed { .. } | Stage::Terminated { .. } => Vec::new(),
        Stage::Open { .. } | Stage::Between { .. } => {
            let mut allowed = vec![Chat];
            if state.coding().is_some() {
                allowed.push(Code);
                if state.judging.is_empty() {
                    allowed.push(Submit);
                }
                let failed = state.submissions.last().is_some_and(|a| a.issue.is_some());
                if failed && state.judging.is_empty() && state.hints.pending().is_none() {
                    allowed.push(Hint);
                }
            }
            allowed.extend(takes_late_file(state).then_some(Submit));
            if state.asked.is_none() {
                allowed.push(AskAssistant);
            }
            allowed.extend([Done, End]);
            allowed
        }
    }
}
