//! What the interviewer says in words that a model may choose: prompts, follow-ups, hints (DECISIONS 35).
//!
//! What is said is settled before anybody is asked for words; what came back is held against it.

use vosim_protocol::phrase;
use vosim_protocol::v1::effect::{Failure, Purpose};
use vosim_protocol::v1::hints::HintRequested;
use vosim_protocol::v1::interview::{
    Event, FollowupPresented, FollowupSelected, PromptPresented, Section,
};

use super::section::{Followup, OpenSection};
use super::state::{Draft, State};
use crate::parts::hearing::Listener;
use crate::parts::judging;
use crate::parts::rewording::{AskedAbout, Original};
use crate::parts::wording::{self, Voiced, Worded, Wording};

/// Longest name of a file that a question names, bytes.
const FILE_NAME_MAX_BYTES: usize = 64;

/// A text of the interviewer's that no follow-up is.
pub(super) fn original<'a>(state: &'a State, text: &'a str, purpose: Purpose) -> Original<'a> {
    Original { text, purpose, problem: &state.spec.problem, about: None }
}

/// A try to put the prompt into words has ended.
pub(super) fn prompted(
    draft: &mut Draft<'_>,
    wording: &Wording,
    own: &str,
    outcome: Result<&String, &Failure>,
) {
    let state = draft.state();
    let own = original(state, own, Purpose::Prompt);
    let Worded { failed, said } = wording.conclude(&own, outcome, state.spec.model.as_ref());
    draft.extend(failed.map(Event::WordingFailed));
    let state = draft.state();
    let presented = said.zip(state.open()).map(|(Voiced { text, words, model }, section)| {
        let section_id = section.plan(&state.spec.schema).id.clone();
        Event::PromptPresented(PromptPresented { section_id, text, words, model })
    });
    draft.extend(presented);
}

/// A try to put a follow-up into words has ended.
pub(super) fn followed_up(
    draft: &mut Draft<'_>,
    followup: &Followup,
    outcome: Result<&String, &Failure>,
) {
    let selected = &followup.selected;
    let Worded { failed, said } = followup_words(draft.state(), followup, outcome);
    draft.extend(failed.map(Event::WordingFailed));
    let presented = said.zip(draft.state().open());
    let presented = presented.map(|(Voiced { text, words, model }, section)| {
        Event::FollowupPresented(FollowupPresented {
            section_id: selected.section_id.clone(),
            dimension: selected.dimension.clone(),
            pool_index: selected.pool_index,
            text,
            words,
            model,
            coverage_before: selected.coverage_before.clone(),
            rule: selected.rule,
            budget_remaining: section.budget,
        })
    });
    draft.extend(presented);
}

/// What came back for a follow-up, held against the pool's question and what it asks for.
fn followup_words(
    state: &State,
    Followup { wording, selected }: &Followup,
    outcome: Result<&String, &Failure>,
) -> Worded {
    let problem = &state.spec.problem;
    let listener = Listener::new(state.spec.hearing, &problem.interface, &problem.statement);
    let own = question(selected);
    let plan: Option<&Section> = state.open().map(|section| section.plan(&state.spec.schema));
    let about = plan.map(|plan| AskedAbout {
        dimension: &selected.dimension,
        dimensions: &plan.dimensions,
        listener: listener.as_ref(),
    });
    let own = Original { about, ..original(state, &own, Purpose::Followup) };
    wording.conclude(&own, outcome, state.spec.model.as_ref())
}

/// A try to put a hint into words has ended.
pub(super) fn hinted(
    draft: &mut Draft<'_>,
    request: &HintRequested,
    wording: &Wording,
    outcome: Result<&String, &Failure>,
) {
    let state = draft.state();
    let own = rung(state, request);
    let own = original(state, &own, Purpose::Hint);
    let Worded { failed, said } = wording.conclude(&own, outcome, state.spec.model.as_ref());
    draft.extend(failed.map(Event::WordingFailed));
    draft.extend(said.map(|said| Event::HintGiven(wording::hint(request, said))));
}

/// A question of the pool, with the candidate's own words that it takes up.
pub(super) fn question(selected: &FollowupSelected) -> String {
    let question = selected.question.as_str();
    match &selected.quoted {
        Some(quoted) => phrase!("followup.quoting", quoted = quoted.as_str(), question).text,
        None => question.to_owned(),
    }
}

/// The prompt of the schema, which is right as it stands.
pub(super) fn prompt(state: &State, section: &OpenSection) -> String {
    section.plan(&state.spec.schema).prompt.replace("{file}", &file(state))
}

/// The file that the candidate works in: the watched one, else one of the usual names.
fn file(state: &State) -> String {
    let watched = state.watch.as_ref().map(|watch| watch.watched.file_path.as_str());
    let Some(path) = watched else { return state.spec.problem.file_names() };
    let name = path.rsplit('/').next().unwrap_or_default();
    // Nothing that could be read as more than a name gets into the interviewer's words.
    let plain = |c: char| c.is_alphanumeric() || "._- ".contains(c);
    match !name.is_empty() && name.len() <= FILE_NAME_MAX_BYTES && name.chars().all(plain) {
        true => format!("`{name}`"),
        false => "the file that is watched".to_owned(),
    }
}

/// The problem's own words for a hint.
pub(super) fn rung(state: &State, request: &HintRequested) -> String {
    judging::rung(&state.spec.problem, &request.issue, request.hint_level)
}
