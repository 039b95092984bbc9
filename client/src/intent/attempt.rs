//! The words of an attempt: one for each step.

mod asking;
pub(crate) mod forms;

use vosim_protocol::v1::attempt::{Command, FailureTraced, Mode, View};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{Role, SessionId};

use crate::call::payload;
use crate::client::Client;
use crate::errors::{Failure, code, user_error};
use crate::files::text_file;
use crate::form::{FORM_MAX_BYTES, Form};
use crate::intent::request::{Answer, Attached, Request};
use crate::intent::{
    FileMeant, SEE_HELP, Words, alone, file_and_again, file_and_cases, file_needed, first_name,
    text,
};
use crate::log::whole;
use crate::render::attempt::failing as screens;
use crate::render::picture::Picture;

pub(crate) use asking::Intent;
use asking::input;

/// Lines that are typed in an attempt.
#[derive(Debug)]
pub(crate) enum Attempting {}

impl Words for Attempting {
    type Intent = Intent;
    type View = View;

    const ANSWERS_AT_ONCE: bool = true;
    const WORDS: &'static [(&'static str, &'static str)] = &[
        ("/mode MODE", "take the attempt as a beginner or as an expert"),
        ("/understand FILE", "send a filled form that explains the problem"),
        ("/answer N TEXT", "answer question N of the assessment"),
        ("/plan", "see which patterns come into question; TEXT: by these words"),
        ("/yes", "answer the question about the pattern"),
        ("/no", "answer the question about the pattern"),
        (
            "/choose PATTERN N TEXT",
            "choose a pattern, say how sure you are (1 to 5) and what holds",
        ),
        ("/approach TEXT", "write down your approach, in an attempt of three steps"),
        ("/submit [FILE]", "submit a file, or the last one again, for judging"),
        ("/submit --again", "have the same code judged once more"),
        (
            "/test [FILE] [--case C]",
            "run the visible cases, the kept ones and more; nothing counts",
        ),
        ("/hint", "ask for a hint"),
        ("/explain N TEXT", "say why test N failed, counted from 0"),
        ("/trace N", "have failed test N traced; without N: show the last trace"),
        ("/case CASE", "keep a case of your own"),
        ("/notes TEXT", "keep notes on the run that failed"),
        ("/retry", "go back to the code"),
        ("/challenge CASE", "try an input on the planted wrong programs"),
        ("/reflect TEXT", "say what you take along, which completes the attempt"),
        ("/skip", "go on without doing the step"),
        ("/result", "show the last verdict again"),
        ("/problem", "show the problem again"),
        ("/end", "leave the attempt"),
    ];

    fn text(_: &str) -> Result<Intent, Failure> {
        let message = "there is nobody to talk to in an attempt; its commands begin with a slash";
        Err(user_error(code::USAGE, message).hint(SEE_HELP))
    }

    fn word(word: &str, rest: &str) -> Result<Option<Intent>, Failure> {
        let ask = |command| Intent::Ask(Box::new(command));
        Ok(Some(match word {
            "mode" => ask(Command::Mode { mode: mode(rest)? }),
            "understand" => Intent::Understand(file_needed(rest, "/understand FILE")?),
            "answer" => answer(rest)?,
            "plan" => ask(Command::PlanSuggest { explanation: rest.to_owned() }),
            "yes" => alone(ask(Command::PlanDiscover { answer: true }), word, rest)?,
            "no" => alone(ask(Command::PlanDiscover { answer: false }), word, rest)?,
            "choose" => ask(choose(rest)?),
            "approach" => ask(Command::Approach { text: text(rest, "/approach TEXT")? }),
            "submit" => {
                let (file, again) = file_and_again(rest);
                Intent::Submit { file: FileMeant::named(file), again }
            }
            "hint" => alone(ask(Command::Hint {}), word, rest)?,
            "explain" => ask(explain(rest)?),
            "trace" if rest.trim().is_empty() => Intent::Trace,
            "trace" => {
                let test_index = rest.trim().parse().map_err(|_| usage("/trace N"))?;
                ask(Command::VerifyTrace { test_index })
            }
            "case" => ask(Command::CaseAdd { ops: input(&text(rest, "/case CASE")?)? }),
            "notes" => ask(Command::Note { trace_notes: text(rest, "/notes TEXT")? }),
            "retry" => alone(ask(Command::Retry {}), word, rest)?,
            "challenge" => ask(Command::Challenge { ops: input(&text(rest, "/challenge CASE")?)? }),
            "reflect" => ask(Command::ReflectSubmit {
                cues_next_time: vec![text(rest, "/reflect TEXT")?],
                invariant_summary: String::new(),
            }),
            "skip" => alone(ask(Command::Skip {}), word, rest)?,
            "test" => {
                let (file, cases) = file_and_cases(rest)?;
                Intent::Test { file: FileMeant::named(file), cases }
            }
            "result" => alone(Intent::Result, word, rest)?,
            "problem" => alone(Intent::Problem, word, rest)?,
            "end" => alone(ask(Command::End {}), word, rest)?,
            _ => return Ok(None),
        }))
    }

    fn is_whole(intent: &Intent) -> bool {
        !matches!(
            intent,
            Intent::Answer { .. }
                | Intent::Submit { file: FileMeant::Left, .. }
                | Intent::Test { file: FileMeant::Left, .. }
        )
    }

    /// A question is sent word for word; without a name, the file is the one that the session knows.
    fn completed(intent: Intent, view: &View, _begun_in: Option<&str>) -> Intent {
        let known = |file: FileMeant| file.completed(&view.problem_id, &view.history);
        match intent {
            Intent::Answer { question, answer } => {
                let asked = question.checked_sub(1).and_then(|at| forms::questions(view).get(at));
                match asked.cloned() {
                    Some(question) => {
                        Intent::Ask(Box::new(Command::UnderstandFollowup { question, answer }))
                    }
                    None => Intent::Answer { question, answer },
                }
            }
            Intent::Submit { file, again } => Intent::Submit { file: known(file), again },
            Intent::Test { file, cases } => Intent::Test { file: known(file), cases },
            Intent::Ask(_)
            | Intent::Understand(_)
            | Intent::Result
            | Intent::Trace
            | Intent::Problem => intent,
        }
    }

    fn forms(view: &View) -> Vec<Form> {
        forms::forms(view)
    }

    fn filled(form: &Form, view: &View) -> Result<Intent, Failure> {
        forms::filled(form, view)
    }

    fn request(intent: Intent, from: Attached) -> Result<Request, Failure> {
        let session = from.session;
        Ok(match intent {
            Intent::Understand(file) => {
                let mut form = forms::empty();
                form.read(&text_file(&file, "a form", FORM_MAX_BYTES)?)?;
                let command = forms::explanation(&form);
                Request::command("Your explanation", from, &command, Vec::new())
            }
            Intent::Answer { question, .. } => {
                let message = format!("there is no question {question} to be answered");
                return Err(user_error(code::USAGE, message));
            }
            Intent::Ask(command) => {
                Request::command("Your answer", from, command.as_ref(), Vec::new())
            }
            Intent::Submit { file, again } => {
                let file = file.read()?;
                let submit = Command::Submit {
                    file_path: file.path,
                    code: file.code.reference(),
                    language: file.language,
                    again,
                };
                Request::command("Your submission", from, &submit, vec![file.code])
            }
            Intent::Test { file, cases } => Request::trial(&file.read()?, cases, session),
            Intent::Result => Request::result(session),
            Intent::Trace => {
                Request::new(move |client, _| Ok(Answer::Page(last_trace(client, session)?)))
            }
            Intent::Problem => Request::problem(session, Language::Python),
        })
    }
}

/// The last failure call by call.
fn last_trace(client: &mut Client, session: SessionId) -> Result<Picture, Failure> {
    let (_, records) = whole(client, Some(session.to_string()), Role::Candidate)?;
    let traced =
        |record: &ToldRecord| payload::<FailureTraced>(record, "FAILURE_TRACED").transpose();
    let last = records.iter().rev().find_map(traced).transpose()?;
    let last = last.ok_or_else(|| {
        user_error(code::NOT_JUDGED, "no failure has been traced yet")
            .hint("Submit a file with: /submit [FILE]")
    })?;
    Ok(Picture::new(move |look| screens::traced(&last, look)))
}

fn usage(usage: &str) -> Failure {
    user_error(code::USAGE, format!("write it like: {usage}")).hint(SEE_HELP)
}

fn mode(rest: &str) -> Result<Mode, Failure> {
    let modes = [Mode::Beginner, Mode::Expert];
    let named = modes.into_iter().find(|mode| mode.name() == rest.to_lowercase());
    named.ok_or_else(|| usage("/mode beginner or /mode expert"))
}

fn answer(rest: &str) -> Result<Intent, Failure> {
    const USAGE: &str = "/answer N TEXT";
    let (question, answer) = rest.split_once(char::is_whitespace).ok_or_else(|| usage(USAGE))?;
    let question = question.parse().map_err(|_| usage(USAGE))?;
    Ok(Intent::Answer { question, answer: text(answer.trim(), USAGE)? })
}

fn choose(rest: &str) -> Result<Command, Failure> {
    const USAGE: &str = "/choose PATTERN N TEXT";
    let (pattern, rest) = first_name(rest, USAGE)?;
    let (sure, invariant) = rest.split_once(' ').unwrap_or((rest, ""));
    let confidence = sure.trim().parse().map_err(|_| usage(USAGE))?;
    let invariant = invariant.trim();
    Ok(Command::PlanChoose {
        pattern_id: pattern.to_owned(),
        confidence,
        invariant_text: (!invariant.is_empty()).then(|| invariant.to_owned()),
        invariant_builder: None,
        complexity: None,
    })
}

fn explain(rest: &str) -> Result<Command, Failure> {
    const USAGE: &str = "/explain N TEXT";
    let (test, words) = rest.split_once(' ').ok_or_else(|| usage(USAGE))?;
    Ok(Command::VerifyExplainFailure {
        test_index: test.parse().map_err(|_| usage(USAGE))?,
        test_input: String::new(),
        expected: String::new(),
        actual: String::new(),
        user_explanation: text(words, USAGE)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::{Wish, parse, words};

    #[test]
    fn every_word_of_the_help_is_understood() {
        for (line, _) in words::<Attempting>() {
            let line = line.replace(['[', ']'], "").replace("--case C", "--case f(1)==2");
            let line = line.replace("PATTERN N", "map 4").replace(" N", " 3");
            let line = line.replace("CASE", "f(1)==2").replace("MODE", "expert");
            assert!(matches!(parse::<Attempting>(&line), Ok(Some(_))), "{line}");
        }
    }

    #[test]
    fn a_choice_has_a_pattern_a_number_and_perhaps_a_sentence() {
        let read = |line: &str| match parse::<Attempting>(line).unwrap() {
            Some(Wish::Do(Intent::Ask(command))) => *command,
            other => panic!("{other:?}"),
        };
        let Command::PlanChoose { pattern_id, confidence, invariant_text, .. } =
            read("/choose hash_map 4 one entry for each key")
        else {
            panic!("a choice");
        };
        assert_eq!((pattern_id.as_str(), confidence), ("hash_map", 4));
        assert_eq!(invariant_text.as_deref(), Some("one entry for each key"));
        let told = parse::<Attempting>("/choose hash_map very").unwrap_err().to_string();
        assert_eq!(told, "write it like: /choose PATTERN N TEXT");
    }
}
