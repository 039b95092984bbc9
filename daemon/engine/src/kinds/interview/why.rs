//! Explains an interview's events: the rule, what it looked at, and what did not apply.

use vosim_protocol::v1::assistant::Violation;
use vosim_protocol::v1::clauses;
use vosim_protocol::v1::coverage::{Coverage, CoverageMap, FollowupRule, Guard};
use vosim_protocol::v1::interview::{
    AssistantResponse, CandidateCodeSubmission, CandidateMessage, Event, ExitReason,
    FollowupPresented, FollowupSelected, Inquiry, InquiryAnswered, InterviewCreated, MessageHeard,
    NotSubmitted, Origin, Section, SectionEnded, SolutionUnwatched, TerminationReason,
};
use vosim_protocol::v1::phrase::{Phrase, Span};
use vosim_protocol::v1::talk::VariationAsked;
use vosim_protocol::{EventId, Time, phrase};

use super::belonging::{Addressed, Answering, Comparison, Rule, addressed};
use super::listening::listen;
use super::section::OpenSection;
use super::state::State;
use super::testifying;
use crate::because::{
    Because, ShowsReference, hint_given, hint_level, not_judged, verdict, wording_failed,
};
use crate::kind::Recorded;
use crate::parts::followups::Choice;

/// Why an event is as it is, given the state before it.
pub(super) fn why(state: &State, recorded: &Recorded<Event>) -> Because {
    match &recorded.event {
        Event::InterviewCreated(created) => planned(created),
        // 001 4.1
        Event::InterviewStarted(_) => Because::of(phrase!("rule.interview.started")),
        // 001 5.2
        Event::SectionStarted(_) => Because::of(phrase!("rule.section.started")),
        // 001 4.2
        Event::PromptPresented(prompt) => Because::of(phrase!("rule.section.prompt"))
            .in_words(prompt.words, prompt.model.as_deref()),
        Event::CandidateMessage(message) => said(state, message, recorded.at),
        Event::MessageHeard(message) => heard(state, message),
        Event::ClarificationGiven(given) => Because::of(phrase!("rule.clarification"))
            .saw(phrase!("seen.nearest", way = given.nearest.as_str())),
        Event::InquiryAnswered(answered) => inquiry(answered),
        Event::FollowupSelected(selected) => followup(state, selected),
        Event::FollowupPresented(presented) => asked(state, presented),
        Event::QuestionsOver(over) => {
            Because::of(phrase!("rule.questions.over")).coverage(state, &over.section_id)
        }
        Event::VariationAsked(asked) => varied(state, asked, recorded.at),
        Event::WordingFailed(failed) => wording_failed(failed.request),
        Event::CandidateCodeSubmission(code) => submission(code),
        // DECISIONS 41
        Event::SuiteDrawn(_) => Because::of(phrase!("rule.suite.drawn")),
        Event::EvalResult(result) => {
            verdict(result, state.judging.first().map(|judging| judging.event))
        }
        Event::EvalAborted(_) => not_judged(),
        Event::GrowthProbeStarted(_) => Because::of(phrase!("rule.growth.started")),
        Event::GrowthMeasured(_) => Because::of(phrase!("rule.growth.measured")),
        // 001 2.1
        Event::OwnTestsStarted(_) => Because::of(phrase!("rule.own_cases.started")),
        Event::OwnTestsResult(result) => {
            requested(phrase!("rule.own_cases.result"), result.request)
        }
        Event::OwnTestsAborted(aborted) => {
            requested(phrase!("rule.own_cases.aborted"), aborted.request)
        }
        Event::HintRequested(request) => {
            hint_level(&state.hint_context(&request.issue), request, ShowsReference::Never)
        }
        Event::HintGiven(given) => {
            hint_given(&state.submissions, &state.hints, given, ShowsReference::Never)
        }
        Event::SolutionWatched(_) => Because::of(phrase!("rule.watch.started")),
        Event::SolutionSaved(saved) => {
            let time = Span::between(saved.modified, recorded.at);
            Because::of(phrase!("rule.watch.saved")).saw(phrase!("seen.saved", time))
        }
        Event::SolutionLost(_) => Because::of(phrase!("rule.watch.lost")),
        Event::SolutionUnwatched(unwatched) => Because::of(unwatch(state, unwatched)),
        // 001 8.1
        Event::AssistantQuery(_) => Because::of(phrase!("rule.assistant.asked")),
        Event::AssistantResponse(response) => answered(response),
        // 001 5.1
        Event::SectionTimeWarning(_) => Because::of(phrase!("rule.section.warning")),
        // 001 6.4
        Event::ContentRequested(_) => Because::of(phrase!("rule.section.minimum")),
        // 001 6.4
        Event::CoverageSatisfied(covered) => {
            Because::of(phrase!("rule.section.covered")).coverage(state, &covered.section_id)
        }
        Event::SectionEnded(ended) => section_end(state, ended),
        // 001 3.3, 7.2
        Event::SectionSummarized(sealed) => {
            let sentences = sealed.bounded_context_summary.len() as u64;
            Because::of(phrase!("rule.section.sealed"))
                .saw(phrase!("seen.section.summary", sentences))
        }
        Event::CandidateConnected(_) => Because::of(phrase!("rule.candidate.connected")),
        // 001 5.3
        Event::CandidateDisconnected(_) => Because::of(phrase!("rule.candidate.disconnected")),
        // DECISIONS 39
        Event::CandidateTyping(_) => Because::of(phrase!("rule.typing.begun")),
        Event::CandidateTypingEnded(ended) => Because::of(match ended.stopped {
            true => phrase!("rule.typing.stopped"),
            false => phrase!("rule.typing.over"),
        }),
        Event::InterviewPaused(_) => Because::of(phrase!("rule.interview.paused")),
        Event::CandidateReconnected(_) => Because::of(phrase!("rule.candidate.back")),
        // 001 4.1
        Event::InterviewCompleted(_) => Because::of(phrase!("rule.interview.completed")),
        Event::InterviewTerminated(ended) => Because::of(match ended.reason {
            // 001 3.2
            TerminationReason::Abandoned => phrase!("rule.interview.left"),
            // 001 10.2
            TerminationReason::SystemError => phrase!("rule.interview.failed"),
        }),
    }
}

/// 001 6.2; DECISIONS 37: what a model said, and why it moved nothing where it did not.
fn heard(state: &State, heard: &MessageHeard) -> Because {
    let because = requested(phrase!("rule.heard"), heard.message);
    let Some(section) = state.open_as(&heard.section_id) else { return because };
    let said = testifying::weighed(state, section, heard.message, &heard.testimonies);
    said.into_iter().fold(because, |because, (said, weighed)| {
        let dimension = dimension(state, &heard.section_id, &said.dimension);
        let (coverage, quote) = (clauses::coverage(said.level), said.quote.as_str());
        let moves = phrase!("rule.heard.moves", dimension, coverage, quote);
        match weighed {
            Ok(_) => because.saw(moves),
            Err(unmoved) => because.not(moves, testifying::told(unmoved)),
        }
    })
}

/// How much time was left for the answer.
fn varied(state: &State, asked: &VariationAsked, at: Time) -> Because {
    let left = state.open().map(|open| open.contents.deadline.micros_since(at));
    let left = u64::try_from(left.unwrap_or_default() / 1_000).unwrap_or_default();
    let because = Because::of(match asked.again {
        true => phrase!("rule.variation.again"),
        false => phrase!("rule.variation"),
    });
    because.saw(phrase!("seen.variation.left", time = Span::ms(left)))
}

fn inquiry(answered: &InquiryAnswered) -> Because {
    let rule = match answered.inquiry {
        Inquiry::Unclear => phrase!("rule.inquiry.unclear"),
        Inquiry::Reword => phrase!("rule.inquiry.reword"),
        Inquiry::Repeat
        | Inquiry::Pause
        | Inquiry::TimeLeft
        | Inquiry::Language
        | Inquiry::Library
        | Inquiry::Running
        | Inquiry::Judgement
        | Inquiry::Onward
        | Inquiry::Help
        | Inquiry::Interviewer
        | Inquiry::Notes
        | Inquiry::Statement
        | Inquiry::LeftOpen
        | Inquiry::InStatement => phrase!("rule.inquiry"),
    };
    let because = Because::of(rule);
    match &answered.nearest {
        Some(way) => because.saw(phrase!("seen.nearest", way = way.as_str())),
        None => because,
    }
}

fn requested(rule: Phrase, request: EventId) -> Because {
    Because::of(rule).saw_in(request, phrase!("seen.requested"))
}

/// 001 3.1: an instance of a schema.
fn planned(created: &InterviewCreated) -> Because {
    let schema = format!("{} {}", created.schema_id, created.schema_version);
    let granted = created.accommodation;
    let because = Because::of(phrase!("rule.interview.created"))
        .saw(phrase!("seen.schema", schema))
        .saw(match granted.time_percent {
            100 => phrase!("seen.time_own"),
            percent => phrase!("seen.time_percent", percent),
        })
        .with_model(created.model.as_ref());
    match granted.larger_warnings {
        true => because.saw(phrase!("seen.warnings_earlier")),
        false => because,
    }
}

fn unwatch(state: &State, unwatched: &SolutionUnwatched) -> Phrase {
    match (unwatched.not_submitted, &unwatched.reason) {
        (Some(NotSubmitted::Left), _) => phrase!("rule.watch.left"),
        (Some(_), _) => phrase!("rule.watch.over"),
        (None, _) if state.coding_ended().is_some() => phrase!("rule.watch.over"),
        (None, Some(_)) => phrase!("rule.watch.failed"),
        (None, None) => phrase!("rule.watch.asked"),
    }
}

/// A submission: 001 2.1; within the grace: 001 5.2; the watched file: DECISIONS 11.
fn submission(code: &CandidateCodeSubmission) -> Because {
    let rule = match code.origin {
        Origin::Candidate if code.late => phrase!("rule.submission.late"),
        Origin::Candidate => phrase!("rule.submission.made"),
        Origin::Deadline => phrase!("rule.submission.deadline"),
        Origin::SectionEnd => phrase!("rule.submission.section_end"),
    };
    Because::of(rule).saw(until_deadline(code.until_deadline_micros))
}

/// Where a moment lies, by its distance to the section's deadline.
fn until_deadline(micros: i64) -> Phrase {
    let time = Span::ms(micros.unsigned_abs() / 1_000);
    match micros {
        0.. => phrase!("seen.time_left", time),
        _ => phrase!("seen.time_over", time),
    }
}

/// Which section a message belongs to: 001 2.1, 5.2; what it counts for: 001 6.2.
fn said(state: &State, message: &CandidateMessage, at: Time) -> Because {
    let because = belongs(state, message, at)
        .saw(until_deadline(message.until_deadline_micros))
        .saw(phrase!("seen.message.words", words = message.word_count))
        .saw(signals(state, message))
        .saw(match message.specific {
            true => phrase!("seen.message.specific"),
            false => phrase!("seen.message.unspecific"),
        });
    let because = weighed(state, message).into_iter().fold(because, Because::saw);
    let counts = || phrase!("rule.message.counts");
    let covers = || phrase!("rule.message.covers");
    match message.guard {
        Some(Guard::Echo) => because.not(counts(), phrase!("not.message.echo")),
        Some(Guard::Question) => because.not(covers(), phrase!("not.message.question")),
        Some(Guard::Stuffing) => because.not(covers(), phrase!("not.message.stuffing")),
        Some(Guard::Declined) => {
            because.not(phrase!("rule.message.asked_again"), phrase!("not.message.declined"))
        }
        Some(Guard::Late) => because.not(counts(), phrase!("not.message.late")),
        None => because,
    }
}

/// By which rule it belongs to its section, and what it was heard to answer where that decided.
fn belongs(state: &State, message: &CandidateMessage, at: Time) -> Because {
    let addressed = addressed(state, message.named.as_deref(), &message.text, at);
    let rule = addressed.as_ref().map_or(&Rule::Only, Addressed::rule);
    let because = Because::of(match (rule, message.late) {
        (Rule::Named, _) => phrase!("rule.message.named"),
        (Rule::Only, false) => phrase!("rule.message.open"),
        (Rule::Only, true) => phrase!("rule.message.late_last"),
        (Rule::Answers(_), true) => phrase!("rule.message.late"),
        (Rule::Answers(_), false) => phrase!("rule.message.new"),
    });
    let Rule::Answers(Comparison { before, open }) = rule else { return because };
    [before, open].into_iter().fold(because, |because, Answering { question, level, .. }| {
        let coverage = clauses::coverage(*level);
        because.saw(phrase!("seen.message.answers", question = question.as_str(), coverage))
    })
}

/// What the words of a message come to by the session's weights, and which of them spoke for it and
/// against it: for what was asked, and for whatever else they touch.
fn weighed(state: &State, message: &CandidateMessage) -> Vec<Phrase> {
    let open = state.open_as(&message.section_id).filter(|_| !message.late);
    let Some(section) = open else { return Vec::new() };
    let listened = listen(state, &section.contents, &message.text);
    let dimensions = &section.plan(&state.spec.schema).dimensions;
    let known =
        dimensions.iter().filter_map(|known| Some((known, listened.weighed.get(&known.id)?)));
    let told = known.filter(|(known, weighed)| {
        section.followup() == Some(&known.id) || weighed.level > Coverage::NotCovered
    });
    told.map(|(known, weighed)| {
        let (dimension, coverage) = (known.title.as_str(), clauses::coverage(weighed.level));
        let (spoke_for, against) = (quoted(&weighed.spoke_for), quoted(&weighed.against));
        phrase!("seen.message.weighed", dimension, coverage, for = spoke_for, against)
    })
    .collect()
}

fn quoted(phrases: &[String]) -> Phrase {
    let phrases: Vec<_> = phrases.iter().map(|said| Phrase::said(format!("\"{said}\""))).collect();
    match phrases.is_empty() {
        true => phrase!("seen.message.nothing"),
        false => phrase!("seen.message.phrases", phrases),
    }
}

/// What a message is about, by its words.
fn signals(state: &State, message: &CandidateMessage) -> Phrase {
    let spoken = message.signals.iter().filter(|(_, groups)| !groups.is_empty());
    let signals: Vec<_> = spoken
        .map(|(id, groups)| {
            let dimension = dimension(state, &message.section_id, id);
            phrase!("seen.message.signal", dimension, groups = groups.len() as u64)
        })
        .collect();
    match signals.is_empty() {
        true => phrase!("seen.message.no_signals"),
        false => phrase!("seen.message.signals", signals),
    }
}

/// 001 6.3
fn followup_rule(rule: FollowupRule) -> Phrase {
    match rule {
        FollowupRule::UncoveredFirst => phrase!("rule.followup.uncovered"),
        FollowupRule::DeepenPartial => phrase!("rule.followup.partial"),
        FollowupRule::InOtherWords => phrase!("rule.followup.in_other_words"),
    }
}

fn followup(state: &State, selected: &FollowupSelected) -> Because {
    let FollowupSelected { section_id, dimension, pool_index, question, rule, .. } = selected;
    let choice = Choice {
        dimension: dimension.clone(),
        pool_index: *pool_index,
        question: question.clone(),
        rule: *rule,
    };
    Because::of(followup_rule(*rule))
        .chosen(state, section_id, &selected.coverage_before, &choice)
        .saw(phrase!("seen.followup.left", left = selected.budget_before))
}

fn asked(state: &State, presented: &FollowupPresented) -> Because {
    let FollowupPresented { section_id, dimension, pool_index, text, rule, .. } = presented;
    let choice = Choice {
        dimension: dimension.clone(),
        pool_index: *pool_index,
        question: text.clone(),
        rule: *rule,
    };
    let because = Because::of(followup_rule(*rule))
        .chosen(state, section_id, &presented.coverage_before, &choice)
        .saw(phrase!("seen.followup.left_after", left = presented.budget_remaining))
        .in_words(presented.words, presented.model.as_deref());
    match state.open_as(section_id).and_then(OpenSection::wording) {
        Some(wording) => because.saw_in(wording.request, phrase!("seen.followup.chosen")),
        None => because,
    }
}

impl Because {
    /// How far a section is covered now.
    fn coverage(self, state: &State, id: &str) -> Self {
        match state.open_as(id) {
            Some(section) => self.saw(coverage(state, id, &section.contents.coverage.map())),
            None => self,
        }
    }

    /// What a follow-up was chosen from: the coverage before it, its place in the pool, and the
    /// other dimensions it could have been about.
    fn chosen(self, state: &State, id: &str, before: &CoverageMap, choice: &Choice) -> Self {
        let pool = plan(state, id)
            .and_then(|plan| plan.dimensions.iter().find(|known| known.id == choice.dimension))
            .map_or(0, |known| known.questions.len() as u64);
        let place = choice.pool_index + 1;
        let mut because =
            self.saw(coverage(state, id, before)).saw(phrase!("seen.followup.place", place, pool));
        let Some(section) = state.open_as(id) else { return because };
        for (other, reason) in section.alternatives(&state.spec.schema, before, choice) {
            let dimension = dimension(state, id, &other);
            because = because.not(phrase!("rule.followup.about", dimension), reason);
        }
        because
    }
}

/// `"Requirements" was covered; "Constraints" was partly covered`, in the order of the schema.
fn coverage(state: &State, section: &str, map: &CoverageMap) -> Phrase {
    let order = plan(state, section).map_or(&[][..], |section| &section.dimensions);
    let named = order.iter().filter_map(|known| {
        let (dimension, coverage) = (known.title.as_str(), clauses::coverage(*map.get(&known.id)?));
        Some(phrase!("seen.coverage_of", dimension, coverage))
    });
    let dimensions: Vec<_> = named.collect();
    match dimensions.is_empty() {
        true => phrase!("seen.coverage_none"),
        false => phrase!("seen.coverage", dimensions),
    }
}

/// A dimension of a section by its title.
fn dimension(state: &State, section: &str, id: &str) -> String {
    let known = plan(state, section)
        .and_then(|section| section.dimensions.iter().find(|dimension| dimension.id == id));
    known.map_or(id, |dimension| dimension.title.as_str()).to_owned()
}

fn plan<'s>(state: &'s State, id: &str) -> Option<&'s Section> {
    state.spec.schema.sections.iter().find(|section| section.id == id)
}

/// 001 5.2 and 6.4, in the order of 001's exit reasons.
fn section_end(state: &State, ended: &SectionEnded) -> Because {
    let open = state.open_as(&ended.section_id);
    let covered = open.is_some_and(|section| state.satisfied(section));
    let nudged = open.is_some_and(|section| section.nudged);
    let others = [
        (ExitReason::TimeExpired, phrase!("not.section.deadline")),
        (
            ExitReason::CoverageSatisfied,
            match covered {
                true => phrase!("not.section.quiet"),
                false => phrase!("not.section.covered"),
            },
        ),
        (
            ExitReason::CandidateDone,
            match nudged {
                true => phrase!("not.section.done_again"),
                false => phrase!("not.section.done"),
            },
        ),
        (ExitReason::SystemError, phrase!("not.section.left")),
    ];
    let mut because = Because::of(exit_rule(ended.reason)).coverage(state, &ended.section_id);
    for (reason, not) in others {
        if reason != ended.reason {
            because = because.not(exit_rule(reason), not);
        }
    }
    because
}

fn exit_rule(reason: ExitReason) -> Phrase {
    match reason {
        ExitReason::TimeExpired => phrase!("rule.section.time_expired"),
        ExitReason::CoverageSatisfied => phrase!("rule.section.everything_covered"),
        ExitReason::CandidateDone => phrase!("rule.section.candidate_done"),
        // DECISIONS 46
        ExitReason::SystemError => phrase!("rule.section.left"),
    }
}

/// 001 8.2: the rules for an answer, of which the telling names those that were broken.
fn answered(response: &AssistantResponse) -> Because {
    let tokens = response.released_tokens;
    let mut because = requested(phrase!("rule.assistant.answered"), response.request)
        .saw(phrase!("seen.assistant.tokens", tokens));
    if let Some(model) = response.model.as_deref() {
        because = because.saw(phrase!("seen.assistant.model", model));
    }
    for (violation, rule, kept) in [
        (Violation::Code, phrase!("rule.withheld.code"), phrase!("not.withheld.code")),
        (
            Violation::Reference,
            phrase!("rule.withheld.reference"),
            phrase!("not.withheld.reference"),
        ),
        (Violation::Plan, phrase!("rule.withheld.plan"), phrase!("not.withheld.plan")),
        (Violation::Length, phrase!("rule.withheld.length"), phrase!("not.withheld.length")),
        (Violation::LeakBudget, phrase!("rule.withheld.budget"), phrase!("not.withheld.budget")),
    ] {
        if !response.violations.contains(&violation) {
            because = because.not(rule, kept);
        }
    }
    because
}
