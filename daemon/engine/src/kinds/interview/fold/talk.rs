//! What is asked and said: prompts, messages, follow-ups, cards, and the assistant beside them.

use std::sync::Arc;

use vosim_protocol::v1::coverage::Guard;
use vosim_protocol::v1::interview::{
    AssistantQuery, AssistantResponse, CandidateMessage, ClarificationGiven, Event,
    FollowupPresented, FollowupSelected, Inquiry, InquiryAnswered, MessageHeard, PromptPresented,
    QuestionsOver,
};
use vosim_protocol::v1::talk::{ModelUse, VariationAsked, WordingFailed};
use vosim_protocol::{EffectId, EventId, Time};

use super::course::{hush, late, open};
use super::presence::release;
use crate::kind::{Misfit, Recorded};
use crate::kinds::interview::section::{Asking, Followup, Message, OpenSection, Question, Unheard};
use crate::kinds::interview::state::{Asked, State};
use crate::parts::coverage;
use crate::parts::variation::is_no_answer;
use crate::parts::wording::Wording;

/// About how many messages a model is asked at a time; the oldest is given up for another.
const UNHEARD_MAX: usize = 3;
/// How long nothing is asked after the candidate has asked for time to think, seconds.
const PAUSE_SECONDS: i64 = 60;

pub(super) fn present_prompt(
    state: &mut State,
    prompt: &PromptPresented,
    at: Time,
) -> Result<(), Misfit> {
    let section = open(state, &prompt.section_id)?;
    let intro = matches!(section.step, Asking::Intro(_));
    Misfit::unless(intro, "a prompt that was presented before")?;
    present(section, &prompt.text, &prompt.text, None);
    hush(state, at);
    Ok(())
}

pub(super) fn present_followup(
    state: &mut State,
    followup: &FollowupPresented,
    at: Time,
) -> Result<(), Misfit> {
    let section = open(state, &followup.section_id)?;
    let chosen = match &section.step {
        Asking::Intro(_) => None,
        Asking::Asked { next } => next.as_ref().map(|next| &next.selected),
    };
    let chosen = chosen.filter(|chosen| chosen.dimension == followup.dimension);
    let quoted = chosen.ok_or(Misfit("a follow-up that was not chosen"))?.quoted.clone();
    let about = Some((followup.dimension.clone(), followup.pool_index));
    // What the candidate has said was not told: to say it again is no echo.
    let told = match &quoted {
        Some(quoted) => followup.text.replace(quoted.as_str(), ""),
        None => followup.text.clone(),
    };
    present(section, &followup.text, &told, about);
    section.contents.asked += 1;
    hush(state, at);
    Ok(())
}

/// Something the interviewer says is there, `told` of it in words that are not the candidate's.
fn present(section: &mut OpenSection, text: &str, told: &str, about: Option<(String, u32)>) {
    section.contents.told.push(told.into());
    let since = section.contents.messages.len();
    section.contents.question = Some(Question { text: text.into(), about, since, reworded: 0 });
    section.step = Asking::Asked { next: None };
}

/// How long a covered section waits for an answer to a variation, seconds.
const VARIATION_SECONDS: i64 = 90;

pub(super) fn ask_variation(
    state: &mut State,
    variation: &VariationAsked,
    at: Time,
) -> Result<(), Misfit> {
    let known = variation.again || state.variations_asked < state.spec.variations.len();
    Misfit::unless(known, "a variation that the problem does not have")?;
    let section = open(state, variation.section_id.as_deref().unwrap_or_default())?;
    let free = matches!(section.step, Asking::Asked { next: None });
    Misfit::unless(free, "a variation while another question is on its way")?;
    let open = section.changed.as_ref().map(|open| (open.number, open.again));
    let asked = !variation.again || open == Some((variation.number, false));
    Misfit::unless(asked, "a variation once more that was not asked about")?;
    section.changed = Some(variation.clone());
    section.missed = false;
    present(section, &variation.text, &variation.text, None);
    section.armed = false;
    section.variation = Some(at.plus_secs(VARIATION_SECONDS));
    state.variations_asked += usize::from(!variation.again);
    hush(state, at);
    Ok(())
}

pub(super) fn end_questions(state: &mut State, over: &QuestionsOver) -> Result<(), Misfit> {
    let section = open(state, &over.section_id)?;
    Misfit::unless(!section.questions_over, "the end of questions that had ended")?;
    section.questions_over = true;
    section.armed = false;
    Ok(())
}

pub(super) fn take_message(
    state: &mut State,
    message: &CandidateMessage,
    event: &Recorded<Event>,
) -> Result<(), Misfit> {
    let counts = coverage::counts(message.guard);
    let said = Message {
        event: event.id,
        text: message.text.as_str().into(),
        words: message.word_count,
        late: message.late,
        counts: counts || !coverage::is_nothing(message.guard),
        whole: counts,
        raises: message.coverage.iter().map(|change| change.dimension.clone()).collect(),
    };
    // 001 5.2: a late message is kept with the section before; DECISIONS 10: it never counts.
    match message.late {
        true => late(state, &message.section_id)?.messages.push(said.clone()),
        false => drop(open(state, &message.section_id)?),
    }
    // Whoever has sent a line may hold questions back with the next one (DECISIONS 39).
    release(state, event.at);
    state.began_typing = None;
    if message.late {
        return Ok(());
    }
    state.offered.clear();
    let quiet = state.spec.schema.message_quiet_seconds;
    let covered = state.spec.schema.covered_seconds;
    let asks_model = counts && ModelUse::hearing(state.spec.model.as_ref()).is_some();
    let prompt = state.open().map(|open| open.plan(&state.spec.schema).prompt.as_str().into());
    let section = open(state, &message.section_id)?;
    let asked = section.contents.question.as_ref().map(|question| Arc::clone(&question.text));
    if let Some(question) = asked.or(prompt).filter(|_| asks_model) {
        section.unheard.push(Unheard { message: event.id, question });
        let old = section.unheard.len().saturating_sub(UNHEARD_MAX);
        section.unheard.drain(..old);
    }
    let contents = &mut section.contents;
    contents.messages.push(said);
    contents.coverage.take_message(&message.signals, message.specific, counts, &message.coverage);
    if message.tells_verdict {
        contents.coverage.take_verdict_told(None);
    }
    contents.declined.extend(message.declined.clone());
    // Who asks waits for an answer, not for the next question.
    let only_asks = message.guard == Some(Guard::Question);
    section.armed |= !only_asks;
    // Who asks back, or tells the verdict, owes the answer to a variation still.
    let beside = only_asks || message.tells_verdict;
    if !beside {
        let owed = section.variation.is_some() || section.missed;
        let open = section.changed.as_ref().filter(|open| owed && !open.again);
        section.missed = open.is_some_and(|open| is_no_answer(&open.text, &message.text));
    }
    section.variation = match section.variation {
        Some(_) if beside => Some(event.at.plus_secs(VARIATION_SECONDS)),
        Some(_) | None => None,
    };
    section.quiet_until = section.quiet_until.max(event.at.plus_secs(quiet.into()));
    // DECISIONS 13: a covered section ends after a while without a message.
    if let Some(ends_at) = &mut section.ends_at {
        *ends_at = event.at.plus_secs(covered.into());
    }
    Ok(())
}

pub(super) fn take_hearing(state: &mut State, heard: &MessageHeard) -> Result<(), Misfit> {
    let section = open(state, &heard.section_id)?;
    let place = section.unheard.iter().position(|unheard| unheard.message == heard.message);
    section.unheard.remove(place.ok_or(Misfit("a hearing that nobody asked for"))?);
    let mut messages = section.contents.messages.iter_mut();
    let mut said = messages.find(|said| said.event == heard.message);
    for change in &heard.coverage {
        section.contents.coverage.take_change(change);
        section.contents.raised.insert(change.dimension.clone());
        if let Some(said) = &mut said {
            said.raises.insert(change.dimension.clone());
        }
    }
    Ok(())
}

pub(super) fn take_clarification(
    state: &mut State,
    given: &ClarificationGiven,
) -> Result<(), Misfit> {
    let contents = &mut open(state, &given.section_id)?.contents;
    contents.told.push(given.text.as_str().into());
    if let Some(change) = &given.coverage {
        contents.coverage.take_change(change);
    }
    Ok(())
}

pub(super) fn take_inquiry(
    state: &mut State,
    answered: &InquiryAnswered,
    at: Time,
) -> Result<(), Misfit> {
    let section = open(state, &answered.section_id)?;
    section.contents.told.push(answered.text.as_str().into());
    if answered.inquiry == Inquiry::Pause {
        section.quiet_until = section.quiet_until.max(at.plus_secs(PAUSE_SECONDS));
    }
    if answered.inquiry == Inquiry::Reword {
        section.reword(answered.reworded.as_ref())?;
    }
    state.offered = answered.offered.clone();
    Ok(())
}

pub(super) fn select_followup(
    state: &mut State,
    selected: &FollowupSelected,
    effect: EffectId,
) -> Result<(), Misfit> {
    let section = open(state, &selected.section_id)?;
    let Asking::Asked { next: next @ None } = &mut section.step else {
        return Err(Misfit("a follow-up while another question is on its way"));
    };
    // 001 6.1: the budget is spent with the choice, whoever words the question.
    let budget = section.budget.checked_sub(1);
    section.budget = budget.ok_or(Misfit("a follow-up beyond the section's budget"))?;
    let (wording, selected) = (Wording::new(effect.0), selected.clone());
    section.used.insert(selected.dimension.clone(), selected.pool_index + 1);
    section.quoted.extend(selected.quoted.clone());
    section.armed = false;
    *next = Some(Box::new(Followup { wording, selected }));
    Ok(())
}

pub(super) fn fail_wording(
    state: &mut State,
    failed: &WordingFailed,
    told: EventId,
) -> Result<(), Misfit> {
    let asks = |wording: &&mut Wording| wording.request == failed.request;
    let hint = state.hints.wording_mut().filter(asks);
    let wording = match hint {
        Some(hint) => Some(hint),
        None => state.open_mut().and_then(OpenSection::wording_mut).filter(asks),
    };
    wording.ok_or(Misfit("a failure of words that nobody waits for"))?.fail(told);
    Ok(())
}

// 001 8.1: what the assistant is asked and answers touches no section.
pub(super) fn ask(
    state: &mut State,
    query: &AssistantQuery,
    effect: EffectId,
) -> Result<(), Misfit> {
    Misfit::unless(state.asked.is_none(), "a question while the assistant is answering one")?;
    state.assistant.queries += 1;
    state.asked = Some(Asked {
        effect,
        kind: query.kind,
        question: query.question.clone(),
        code: query.code_hash,
    });
    Ok(())
}

pub(super) fn answer(state: &mut State, response: &AssistantResponse) -> Result<(), Misfit> {
    let asked = state.asked.take_if(|asked| asked.effect == EffectId(response.request));
    asked.ok_or(Misfit("an answer to a question that nobody asked"))?;
    state.assistant.released_tokens = response.released_tokens;
    if !response.violations.is_empty() {
        state.assistant.violations += 1;
    } else if !response.unanswered {
        state.assistant.answered += 1;
    }
    Ok(())
}
