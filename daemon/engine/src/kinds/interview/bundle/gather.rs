//! One pass over an interview's events, in which the parts of the evaluation bundle come together.

use std::collections::BTreeSet;

use vosim_protocol::v1::bundle::{
    Answer, Assistant, Assumption, Broken, Followup, HintTold, OwnTests, Pause, Query,
    SectionArtifact, SectionEvents, Submission, Told,
};
use vosim_protocol::v1::coverage::{CoverageChange, CoverageMap};
use vosim_protocol::v1::hints::HintGiven;
use vosim_protocol::v1::interview::{
    AssistantQuery, AssistantResponse, CandidateCodeSubmission, Event, FollowupPresented,
    InquiryAnswered, OwnTestsStarted, PlannedSection, SectionEnded, SectionStarted,
    SectionSummarized, TerminationReason,
};
use vosim_protocol::v1::telling::Entry;
use vosim_protocol::{EventId, Time};

use super::super::tell;
use crate::bundle::verdict;
use crate::kind::Recorded;
use crate::parts::assistant::RELEASED_MAX;

/// What has come together.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) sections: Vec<SectionArtifact>,
    pub(super) terminated: Option<(EventId, TerminationReason)>,
    pub(super) submissions: Vec<Submission>,
    pub(super) own_tests: Vec<OwnTests>,
    pub(super) hints: Vec<HintTold>,
    pub(super) assistant: Assistant,
    pub(super) pauses: Vec<Pause>,
    /// When the clock began to run.
    pub(super) started: Option<Time>,
    planned: Vec<PlannedSection>,
    /// What happened in the coding section.
    pub(super) of_coding: BTreeSet<EventId>,
    /// The section in which code is judged.
    coding: String,
    /// The follow-up that was chosen last.
    selected: Option<EventId>,
    /// The section in which a hint was asked for last.
    hinted: Option<String>,
}

impl Gathered {
    pub(super) fn of(coding: &str) -> Self {
        let assistant = Assistant { released_tokens_max: RELEASED_MAX, ..Assistant::default() };
        Self { coding: coding.to_owned(), assistant, ..Self::default() }
    }

    pub(super) fn take(&mut self, recorded: &Recorded<Event>) {
        let event = &recorded.event;
        if let Event::SectionStarted(started) = event {
            let planned = self.planned.iter().find(|plan| plan.section_id == started.section_id);
            self.sections.push(artifact(recorded, started, planned));
        }
        if self.place(event).is_some_and(|place| place == self.coding) {
            self.of_coding.insert(recorded.id);
        }
        self.read(recorded);
        self.judge(recorded);
        self.note(recorded);
    }

    /// Notes what an event adds beside the transcripts and the coverage.
    fn note(&mut self, recorded: &Recorded<Event>) {
        let Recorded { id, at, event } = recorded;
        let (event_id, at) = (*id, *at);
        match event {
            Event::InterviewCreated(created) => self.planned.clone_from(&created.sections),
            Event::InterviewStarted(_) => self.started = Some(at),
            Event::HintRequested(_) => self.hinted = self.open().map(str::to_owned),
            Event::FollowupSelected(_) => self.selected = Some(event_id),
            Event::FollowupPresented(asked) => self.follow_up(event_id, asked),
            Event::SectionEnded(ended) => self.end(event_id, at, ended),
            Event::InquiryAnswered(answered) => {
                self.assume(event_id, answered);
                self.reword(event_id, answered);
            }
            Event::SectionSummarized(summary) => self.summarize(event_id, summary),
            Event::InterviewPaused(_) => {
                self.pauses.push(Pause { event_id, at, until: None, until_event: None, by: None });
            }
            Event::CandidateReconnected(back) => {
                if let Some(pause) = self.pauses.last_mut().filter(|_| back.was_paused) {
                    pause.until = Some(at);
                    pause.until_event = Some(event_id);
                    pause.by = Some(back.by);
                }
            }
            Event::InterviewTerminated(ended) => self.terminated = Some((event_id, ended.reason)),
            Event::AssistantQuery(query) => self.ask(recorded, query),
            Event::AssistantResponse(response) => self.answer(recorded, response),
            Event::CandidateCodeSubmission(code) => self.submit(recorded, code),
            Event::OwnTestsStarted(run) => self.run(recorded, run),
            Event::EvalResult(result) => {
                if let Some(of) = self.submission(result.attempt_number) {
                    of.verdict = Some(verdict(event_id, result));
                }
            }
            Event::EvalAborted(aborted) => {
                if let Some(of) = self.submission(aborted.attempt_number) {
                    of.aborted = Some(aborted.reason.clone());
                    of.aborted_event = Some(event_id);
                }
            }
            Event::OwnTestsResult(result) => {
                let (passed, failed) = (result.passed, result.failed);
                if let Some(run) = self.own_run(result.request) {
                    run.told = Some(Told { event_id, passed, failed });
                }
            }
            Event::OwnTestsAborted(aborted) => {
                if let Some(run) = self.own_run(aborted.request) {
                    run.aborted = Some(aborted.reason.clone());
                    run.aborted_event = Some(event_id);
                }
            }
            Event::HintGiven(given) => self.hint(event_id, at, given),
            // They are in the transcripts, or the log alone has them.
            Event::SectionStarted(_)
            | Event::PromptPresented(_)
            | Event::CandidateMessage(_)
            | Event::MessageHeard(_)
            | Event::ClarificationGiven(_)
            | Event::QuestionsOver(_)
            | Event::VariationAsked(_)
            | Event::WordingFailed(_)
            | Event::SuiteDrawn(_)
            | Event::GrowthProbeStarted(_)
            | Event::GrowthMeasured(_)
            | Event::SolutionWatched(_)
            | Event::SolutionSaved(_)
            | Event::SolutionLost(_)
            | Event::SolutionUnwatched(_)
            | Event::SectionTimeWarning(_)
            | Event::ContentRequested(_)
            | Event::CoverageSatisfied(_)
            | Event::CandidateConnected(_)
            | Event::CandidateDisconnected(_)
            | Event::CandidateTyping(_)
            | Event::CandidateTypingEnded(_)
            | Event::InterviewCompleted(_) => {}
        }
    }

    fn hint(&mut self, event_id: EventId, at: Time, given: &HintGiven) {
        self.hints.push(HintTold {
            event_id,
            at,
            level: given.hint_level,
            text: given.hint_text.clone(),
            trigger_reason: given.trigger_reason,
            issue: given.issue.clone(),
        });
    }

    fn end(&mut self, event_id: EventId, at: Time, ended: &SectionEnded) {
        if let Some(section) = self.section(&ended.section_id) {
            section.ended = Some(at);
            section.used_ms = section.given_ms.saturating_sub(ended.unused_ms);
            section.exit_reason = Some(ended.reason);
            section.events.ended = Some(event_id);
        }
    }

    fn follow_up(&mut self, presented: EventId, asked: &FollowupPresented) {
        let selected = self.selected.take().unwrap_or(presented);
        if let Some(section) = self.section(&asked.section_id) {
            section.followups.push(Followup {
                selected,
                presented,
                dimension: asked.dimension.clone(),
                pool_index: asked.pool_index,
                question: asked.text.clone(),
                rule: asked.rule,
            });
        }
    }

    fn assume(&mut self, event_id: EventId, answered: &InquiryAnswered) {
        let Some(section) = self.section(&answered.section_id) else { return };
        let assumption = |question: &String| Assumption { event_id, question: question.clone() };
        section.assumptions.extend(answered.assumed.as_ref().map(assumption));
    }

    /// A follow-up is told as it was put last, which is what was answered.
    fn reword(&mut self, event_id: EventId, answered: &InquiryAnswered) {
        let Some(reworded) = &answered.reworded else { return };
        let Some(section) = self.section(&answered.section_id) else { return };
        let mut asked = section.followups.iter_mut().rev();
        if let Some(asked) = asked.find(|asked| asked.dimension == reworded.dimension) {
            asked.presented = event_id;
            asked.pool_index = reworded.pool_index;
            asked.question.clone_from(&reworded.question);
        }
    }

    fn summarize(&mut self, event_id: EventId, summary: &SectionSummarized) {
        if let Some(section) = self.section(&summary.section_id) {
            section.bounded_context_summary.clone_from(&summary.bounded_context_summary);
            section.coverage_flags.clone_from(&summary.coverage_flags);
            section.declined.clone_from(&summary.declined);
            section.events.summarized = Some(event_id);
        }
    }

    /// Notes the event of each step of a dimension's coverage.
    fn judge(&mut self, recorded: &Recorded<Event>) {
        let (id, event) = (recorded.id, &recorded.event);
        #[expect(clippy::wildcard_enum_match_arm, reason = "no other event covers anything")]
        let (place, changes, declined): (_, &[CoverageChange], _) = match event {
            Event::CandidateMessage(message) => {
                (Some(&*message.section_id), &message.coverage, message.declined.as_ref())
            }
            Event::MessageHeard(heard) => (Some(&*heard.section_id), &heard.coverage, None),
            Event::ClarificationGiven(given) => {
                (Some(&*given.section_id), given.coverage.as_slice(), None)
            }
            Event::OwnTestsResult(result) => (self.place(event), result.coverage.as_slice(), None),
            _ => return,
        };
        let Some(place) = place.map(str::to_owned) else { return };
        let Some(section) = self.section(&place) else { return };
        for change in changes {
            section.events.coverage.insert(change.dimension.clone(), id);
        }
        section.events.declined.extend(declined.map(|dimension| (dimension.clone(), id)));
    }

    /// Puts what people read into the section it belongs to.
    fn read(&mut self, recorded: &Recorded<Event>) {
        let Recorded { id, at, event } = recorded;
        let Some(mut entry) = Entry::of(*id, *at, tell::tell(recorded)) else { return };
        let section_id = &mut entry.telling.section_id;
        if section_id.is_none() {
            *section_id = self.place(event).map(str::to_owned);
        }
        let section = section_id.clone().and_then(|id| self.section(&id));
        if let Some(section) = section {
            section.raw_transcript.push(entry);
        }
    }

    /// The section that an event belongs to, as far as its entry does not name one: that of what
    /// it answers, however late it comes, else the open one.
    fn place<'a>(&'a self, event: &'a Event) -> Option<&'a str> {
        let of_submission = |number: u32| {
            let submitted = self.submissions.iter().rev().find(|one| one.submission == number);
            submitted.map(|submission| submission.section_id.as_str())
        };
        let of_run = |request: EventId| {
            let run = self.own_tests.iter().find(|run| run.event_id == request);
            run.map(|run| run.section_id.as_str())
        };
        #[expect(clippy::wildcard_enum_match_arm, reason = "all others answer nothing")]
        match event {
            Event::CandidateCodeSubmission(code) => Some(&code.section_id),
            Event::EvalResult(result) => of_submission(result.attempt_number),
            Event::EvalAborted(aborted) => of_submission(aborted.attempt_number),
            Event::OwnTestsStarted(run) => Some(&run.section_id),
            Event::OwnTestsResult(result) => of_run(result.request),
            Event::OwnTestsAborted(aborted) => of_run(aborted.request),
            Event::AssistantQuery(query) => Some(&query.section_id),
            Event::AssistantResponse(response) => {
                let queries = &self.assistant.queries;
                let asked = queries.iter().find(|query| query.event_id == response.request);
                asked.map(|query| query.section_id.as_str())
            }
            Event::HintGiven(_) => self.hinted.as_deref(),
            Event::SolutionUnwatched(_) => self.open_or_coding(),
            _ => self.open(),
        }
    }

    fn open(&self) -> Option<&str> {
        let open = self.sections.last().filter(|section| section.ended.is_none());
        open.map(|section| section.section_id.as_str())
    }

    /// A file that is watched until the coding section has ended was read for that one.
    fn open_or_coding(&self) -> Option<&str> {
        let coding = self.sections.iter().find(|section| section.section_id == self.coding);
        let ended = coding.filter(|section| section.ended.is_some());
        ended.map(|section| section.section_id.as_str()).or_else(|| self.open())
    }

    fn section(&mut self, id: &str) -> Option<&mut SectionArtifact> {
        self.sections.iter_mut().find(|section| section.section_id == id)
    }

    /// The submission of that number; an aborted one's number is given again.
    fn submission(&mut self, number: u32) -> Option<&mut Submission> {
        self.submissions.iter_mut().rev().find(|submission| submission.submission == number)
    }

    fn own_run(&mut self, request: EventId) -> Option<&mut OwnTests> {
        self.own_tests.iter_mut().find(|run| run.event_id == request)
    }

    fn submit(&mut self, recorded: &Recorded<Event>, code: &CandidateCodeSubmission) {
        self.submissions.push(Submission {
            event_id: recorded.id,
            at: recorded.at,
            section_id: code.section_id.clone(),
            submission: code.attempt_number,
            origin: code.origin,
            captured_late: code.captured_late,
            untaken: code.untaken,
            late: code.late,
            file_path: code.file_path.clone(),
            code_hash: code.code_hash,
            bytes: code.bytes,
            verdict: None,
            aborted: None,
            aborted_event: None,
        });
    }

    fn run(&mut self, recorded: &Recorded<Event>, run: &OwnTestsStarted) {
        self.own_tests.push(OwnTests {
            event_id: recorded.id,
            at: recorded.at,
            section_id: run.section_id.clone(),
            code_hash: run.code_hash,
            cases: u32::try_from(run.cases.len()).unwrap_or(u32::MAX),
            told: None,
            aborted: None,
            aborted_event: None,
        });
    }

    fn ask(&mut self, recorded: &Recorded<Event>, query: &AssistantQuery) {
        self.assistant.queries.push(Query {
            event_id: recorded.id,
            at: recorded.at,
            section_id: query.section_id.clone(),
            kind: query.kind,
            question: query.question.clone(),
            code_hash: query.code_hash,
        });
    }

    fn answer(&mut self, recorded: &Recorded<Event>, response: &AssistantResponse) {
        let (event_id, request) = (recorded.id, response.request);
        self.assistant.answers.push(Answer {
            event_id,
            at: recorded.at,
            request,
            text: response.text.clone(),
            unanswered: response.unanswered,
            released_tokens: response.released_tokens,
        });
        if !response.violations.is_empty() {
            self.assistant.violations.push(Broken {
                event_id,
                request,
                rules: response.violations.clone(),
                withheld: response.withheld.clone(),
            });
        }
    }
}

/// A section that has just begun.
fn artifact(
    recorded: &Recorded<Event>,
    started: &SectionStarted,
    planned: Option<&PlannedSection>,
) -> SectionArtifact {
    let given_ms = planned.map_or(0, |plan| plan.duration_ms);
    SectionArtifact {
        section_id: started.section_id.clone(),
        title: started.title.clone(),
        started: recorded.at,
        deadline: started.deadline,
        given_ms,
        used_ms: given_ms,
        ended: None,
        exit_reason: None,
        raw_transcript: Vec::new(),
        code_history: Vec::new(),
        bounded_context_summary: Vec::new(),
        coverage_flags: CoverageMap::new(),
        declined: Vec::new(),
        dimensions: Vec::new(),
        followup_cap: started.followup_budget,
        followups: Vec::new(),
        assumptions: Vec::new(),
        events: SectionEvents { started: Some(recorded.id), ..SectionEvents::default() },
    }
}
