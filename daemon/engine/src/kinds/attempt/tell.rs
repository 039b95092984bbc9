//! What the events of an attempt say; see [`telling`](crate::telling).

use vosim_protocol::phrase;
use vosim_protocol::v1::attempt::{
    AttemptCompleted, AttemptOutcome, ChallengeScored, DiscoveryAnswered, Event, FailureExplained,
    FailureTraced, Match, OwnCaseChecked, OwnCasesRun, PatternChosen, PatternsSuggested,
    PlanAssessed, UnderstandingAssessed,
};
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::telling::{Channel, Telling, Tone};

use super::understanding::quoted;
use crate::telling::{hint_requested, not_judged, of_code, suite_drawn, system, verdict};

pub(super) fn tell(event: &Event) -> Telling {
    match event {
        Event::AttemptStarted(started) => {
            let python = phrase!("drill.python", version = started.python_version.as_str());
            let (title, mode) = (started.title.as_str(), started.mode.name());
            system(match started.v2_flow {
                true => phrase!("attempt.started", title, mode),
                false => phrase!("drill.started", title),
            })
            .adding(vec![python])
        }
        Event::ModeSet(set) => system(phrase!("attempt.mode", mode = set.mode.name())),
        Event::UnderstandingSubmitted(fields) => candidate(&fields.explanation),
        Event::FollowupAnswered(answered) => candidate(&answered.answer),
        Event::UnderstandingAssessed(assessed) => understanding(assessed),
        Event::PatternsSuggested(suggested) => patterns(suggested),
        Event::DiscoveryAnswered(answered) => discovery(answered),
        Event::PatternChosen(chosen) => choice(chosen),
        Event::PlanAssessed(assessed) => plan(assessed),
        Event::ApproachTaken(taken) => candidate(&taken.text),
        Event::CodeSubmitted(code) => {
            let (number, file) = (code.attempt_number, code.file_path.as_str());
            system(phrase!("submission.made", number, file))
                .adding(of_code(code.line_count, code.repeated))
        }
        Event::SuiteDrawn(drawn) => suite_drawn(drawn),
        Event::EvalResult(result) => verdict(result),
        Event::EvalAborted(aborted) => not_judged(aborted),
        Event::HintRequested(request) => hint_requested(request),
        Event::HintGiven(given) => {
            let (level, text) = (u32::from(given.hint_level), given.hint_text.as_str());
            Telling::spoken(Channel::Interviewer, phrase!("hint.given", level, text))
        }
        Event::FailureExplained(explained) => failure(explained),
        Event::TraceRequested(_) => system(phrase!("trace.requested")),
        Event::FailureTraced(traced) => trace(traced),
        Event::OwnCaseGiven(given) => {
            let calls = u32::try_from(given.ops.len()).unwrap_or(u32::MAX);
            system(phrase!("own_case.given", calls))
        }
        Event::OwnCaseChecked(checked) => own_case(checked),
        Event::OwnCaseRemoved(removed) => {
            system(phrase!("own_case.removed", number = removed.number))
        }
        Event::OwnCasesRun(run) => own_cases(run),
        Event::NotesKept(kept) => candidate(&kept.trace_notes),
        Event::StepTaken(taken) => {
            let (from, to) = (taken.from.name(), taken.to.name());
            Telling::spoken(Channel::Section, phrase!("attempt.step", from, to))
        }
        Event::ChallengeTried(tried) => {
            let calls = u32::try_from(tried.ops.len()).unwrap_or(u32::MAX);
            system(phrase!("challenge.tried", calls))
        }
        Event::ChallengeScored(scored) => challenge(scored),
        Event::ReflectionSubmitted(reflection) => {
            let said = reflection.cues_next_time.iter().chain([&reflection.invariant_summary]);
            let said = said.map(String::as_str).filter(|text| !text.trim().is_empty());
            candidate(&said.collect::<Vec<_>>().join("\n"))
        }
        Event::AttemptCompleted(completed) => end(completed),
    }
}

/// A sentence with a list below it, in Markdown.
fn listed(head: String, items: impl Iterator<Item = String>) -> Phrase {
    Phrase::said(items.fold(head, |text, item| format!("{text}\n- {item}")))
}

fn candidate(text: &str) -> Telling {
    Telling::spoken(Channel::Candidate, Phrase::said(text))
}

fn spoken(text: Phrase, good: bool) -> Telling {
    let tone = if good { Tone::Good } else { Tone::Notice };
    Telling::spoken(Channel::Interviewer, text).in_tone(tone)
}

fn understanding(assessed: &UnderstandingAssessed) -> Telling {
    let said = &assessed.assessment;
    let head = match assessed.passes() {
        true => phrase!("understand.passes"),
        false => phrase!("understand.needs_work"),
    };
    let not_run = assessed.not_run.as_ref();
    let not_run =
        not_run.map(|reason| phrase!("understand.not_run", reason = reason.as_str()).text);
    let rest = said.strengths.iter().chain(&said.gaps).chain(&said.followup_questions).cloned();
    spoken(listed(head.text, not_run.into_iter().chain(rest)), assessed.passes())
}

fn patterns(suggested: &PatternsSuggested) -> Telling {
    let candidates = suggested.suggestions.candidates.iter();
    let lines = candidates.map(|one| {
        let (name, id, reason) = (one.name.as_str(), one.pattern_id.as_str(), one.reason.as_str());
        let sure = (one.confidence * 100.0).round().to_string();
        phrase!("plan.candidate", name, id, sure, reason).text
    });
    let first = suggested.suggestions.recommended_next_action.clone();
    Telling::spoken(Channel::Interviewer, listed(first, lines))
}

fn discovery(answered: &DiscoveryAnswered) -> Telling {
    let head = match answered.right {
        true => phrase!("discovery.right", explanation = answered.explanation.as_str()),
        false => phrase!("discovery.wrong", explanation = answered.explanation.as_str()),
    };
    let next = match &answered.next_question {
        Some(question) => question.clone(),
        None => phrase!("discovery.over").text,
    };
    spoken(Phrase::said(format!("{}\n{next}", head.text)), answered.right)
}

fn choice(chosen: &PatternChosen) -> Telling {
    let (pattern, sure) = (chosen.pattern_id.replace('_', " "), u32::from(chosen.confidence));
    system(phrase!("plan.chosen", pattern, sure))
}

fn plan(assessed: &PlanAssessed) -> Telling {
    let said = &assessed.assessment;
    let doubt = said.discovery_recommended;
    let head = match (said.accepted, doubt) {
        (true, _) => phrase!("plan.accepted"),
        (false, true) => phrase!("plan.doubt"),
        (false, false) => phrase!("plan.not_yet"),
    };
    let fit = match said.fit {
        Match::Good => phrase!("plan.good"),
        Match::Maybe => phrase!("plan.maybe"),
        Match::Mismatch if said.accepted => phrase!("plan.mismatch_taken"),
        Match::Mismatch => phrase!("plan.mismatch"),
    };
    let question = assessed.question.as_ref();
    let question = question.map(|question| phrase!("plan.asks", question = question.as_str()).text);
    let fit = Some(fit.text).filter(|_| !doubt);
    let rationale = Some(said.rationale.clone()).filter(|text| !text.is_empty());
    let feedback = said.invariant_feedback.clone();
    let lines = [Some(head.text), fit, rationale, feedback, question].into_iter().flatten();
    spoken(Phrase::said(lines.collect::<Vec<_>>().join("\n")), said.accepted)
}

fn failure(explained: &FailureExplained) -> Telling {
    let said = &explained.guidance;
    let kind = phrase!("failure.kind", kind = said.likely_bug_type.as_str()).text;
    let lines = [&kind, &said.failing_case_explanation, &said.suggested_next_debug_step];
    Telling::spoken(Channel::Interviewer, Phrase::said(lines.map(String::as_str).join("\n")))
}

fn trace(traced: &FailureTraced) -> Telling {
    let case = traced.case.as_str();
    let Some(trace) = &traced.trace else {
        let reason = traced.not_traced.as_deref().unwrap_or_default();
        return system(phrase!("trace.none", case, reason)).in_tone(Tone::Notice);
    };
    let head = phrase!("trace.of", case, about = trace.about()).text;
    let lines = trace.lines().into_iter().map(|(_, line)| line);
    let text: Vec<_> = std::iter::once(head).chain(lines).collect();
    system(Phrase::said(text.join("\n"))).in_tone(Tone::Notice)
}

fn own_case(checked: &OwnCaseChecked) -> Telling {
    if let (Some(call), Some(limit)) = (checked.outside, &checked.limit) {
        let limit = quoted(limit);
        return system(phrase!("own_case.beyond", call, limit)).in_tone(Tone::Bad);
    }
    if let Some(call) = checked.outside {
        return system(phrase!("own_case.outside", call)).in_tone(Tone::Bad);
    }
    match (&checked.not_run, checked.number, checked.differs_at) {
        (Some(reason), ..) => {
            system(phrase!("own_case.not_run", reason = reason.as_str())).in_tone(Tone::Bad)
        }
        (None, Some(number), _) if checked.answers == 0 => {
            system(phrase!("own_case.silent", number)).in_tone(Tone::Good)
        }
        (None, Some(number), _) => system(phrase!("own_case.kept", number)).in_tone(Tone::Good),
        (None, None, Some(call)) => system(phrase!("own_case.wrong", call)).in_tone(Tone::Bad),
        (None, None, None) => system(phrase!("own_case.refused")).in_tone(Tone::Bad),
    }
}

fn own_cases(run: &OwnCasesRun) -> Telling {
    let Some(found) = &run.evaluation else {
        let reason = run.not_run.as_deref().unwrap_or_default();
        return system(phrase!("own_cases.not_run", reason)).in_tone(Tone::Notice);
    };
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let total = count(found.cases.len());
    let failing = found.cases.iter().filter(|case| !case.outcome.passed());
    let failing: Vec<_> = failing.map(|case| case.name.as_str()).collect();
    if failing.is_empty() {
        return system(phrase!("own_cases.passed", total)).in_tone(Tone::Good);
    }
    let passed = total - count(failing.len());
    let failing = failing.join(", ");
    system(phrase!("own_cases.failed", passed, total, failing)).in_tone(Tone::Bad)
}

fn challenge(scored: &ChallengeScored) -> Telling {
    let (caught, planted) = (scored.caught, scored.planted);
    match (&scored.not_run, scored.holds) {
        (Some(reason), _) => system(phrase!("challenge.not_run", reason = reason.as_str())),
        (None, false) => system(phrase!("challenge.wrong")).in_tone(Tone::Bad),
        (None, true) => {
            let tone = if caught > 0 { Tone::Good } else { Tone::Notice };
            system(phrase!("challenge.scored", caught, planted)).in_tone(tone)
        }
    }
}

fn end(completed: &AttemptCompleted) -> Telling {
    let (passed, hints) = (completed.tests_passed, completed.hints_used);
    let total = passed + completed.tests_failed;
    let (line, tone) = match completed.outcome {
        AttemptOutcome::Unaided => (phrase!("attempt.unaided", total), Tone::Good),
        AttemptOutcome::Hinted if hints == 0 => (phrase!("attempt.explained", total), Tone::Good),
        AttemptOutcome::Hinted => (phrase!("attempt.hinted", total, hints), Tone::Good),
        AttemptOutcome::Left if completed.submissions == 0 => {
            (phrase!("drill.unjudged"), Tone::Notice)
        }
        AttemptOutcome::Left => (phrase!("attempt.left", passed, total), Tone::Notice),
    };
    Telling::spoken(Channel::Section, line).in_tone(tone)
}
