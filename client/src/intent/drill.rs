//! The words of a drill: a file is judged; what is typed without a slash answers what was asked after a pass.

use vosim_protocol::SessionId;
use vosim_protocol::v1::drill::{Command, View};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::{Do, Export, ExportForm, ExportParams, OwnCase};

use crate::call::params;
use crate::errors::Failure;
use crate::intent::request::{Answer, Attached, Request};
use crate::intent::{FileMeant, Words, alone, file_and_again, file_and_cases};

/// Lines that are typed in a drill.
#[derive(Debug)]
pub(crate) enum Drilling {}

/// What a candidate can ask of a drill.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Intent {
    /// Judge a file; without a name the one that the session knows. `again` means bytes that were
    /// judged before, too.
    Submit { file: FileMeant, again: bool },
    /// Run the visible cases and these on a file; without a name on the one that the session knows.
    Test { file: FileMeant, cases: Vec<OwnCase> },
    /// Ask for a hint; `confirm` agrees to the reference solution.
    Hint { confirm: bool },
    /// Ask for the reference solution.
    GiveUp { confirm: bool },
    /// Answer what was asked.
    Say(String),
    /// Show the last verdict again.
    Result,
    /// Show the problem again.
    Problem,
    /// End the session.
    End,
}

impl Words for Drilling {
    type Intent = Intent;
    type View = View;

    const WORDS: &'static [(&'static str, &'static str)] = &[
        ("/submit [FILE]", "submit a file, or the last one again, for judging"),
        ("/submit --again", "have the same code judged once more"),
        ("/test [FILE] [--case C]", "run the visible cases and your own; not a submission"),
        ("/hint", "ask for a hint"),
        ("/give-up", "ask for the reference solution"),
        ("/result", "show the last verdict with its feedback again"),
        ("/problem", "show the problem again"),
        ("/end", "end the session"),
    ];

    fn text(text: &str) -> Result<Intent, Failure> {
        Ok(Intent::Say(text.to_owned()))
    }

    fn word(word: &str, rest: &str) -> Result<Option<Intent>, Failure> {
        Ok(Some(match word {
            "submit" => {
                let (file, again) = file_and_again(rest);
                Intent::Submit { file: FileMeant::named(file), again }
            }
            "test" => {
                let (file, cases) = file_and_cases(rest)?;
                Intent::Test { file: FileMeant::named(file), cases }
            }
            "hint" => alone(Intent::Hint { confirm: false }, word, rest)?,
            "give-up" => alone(Intent::GiveUp { confirm: false }, word, rest)?,
            "result" => alone(Intent::Result, word, rest)?,
            "problem" => alone(Intent::Problem, word, rest)?,
            "end" => alone(Intent::End, word, rest)?,
            _ => return Ok(None),
        }))
    }

    fn is_whole(intent: &Intent) -> bool {
        !matches!(
            intent,
            Intent::Submit { file: FileMeant::Left, .. }
                | Intent::Test { file: FileMeant::Left, .. }
        )
    }

    /// Without a name, the file is the one that the session knows.
    fn completed(intent: Intent, view: &View, _begun_in: Option<&str>) -> Intent {
        let known = |file: FileMeant| file.completed(&view.problem_id, &view.history);
        match intent {
            Intent::Submit { file, again } => Intent::Submit { file: known(file), again },
            Intent::Test { file, cases } => Intent::Test { file: known(file), cases },
            Intent::Hint { .. }
            | Intent::GiveUp { .. }
            | Intent::Say(_)
            | Intent::Result
            | Intent::Problem
            | Intent::End => intent,
        }
    }

    fn confirmed(intent: &Intent) -> Option<Intent> {
        match intent {
            Intent::Hint { .. } => Some(Intent::Hint { confirm: true }),
            Intent::GiveUp { .. } => Some(Intent::GiveUp { confirm: true }),
            Intent::Submit { .. }
            | Intent::Say(_)
            | Intent::Test { .. }
            | Intent::Result
            | Intent::Problem
            | Intent::End => None,
        }
    }

    fn request(intent: Intent, from: Attached) -> Result<Request, Failure> {
        let session = from.session;
        Ok(match intent {
            Intent::Submit { file, again } => {
                let file = file.read()?;
                let submit = Command::Submit {
                    file_path: file.path,
                    code: file.code.reference(),
                    language: file.language,
                    again,
                };
                let code = vec![file.code];
                Request::command("Your submission", from, &submit, code)
            }
            Intent::Test { file, cases } => Request::trial(&file.read()?, cases, session),
            Intent::Hint { confirm } => {
                let hint = Command::Hint { confirm, level: None };
                Request::hint("Your hint request", from, &hint)
            }
            Intent::GiveUp { confirm } => {
                let what = "Your request for the solution";
                let give_up = Command::GiveUp { confirm };
                Request::hint(what, from, &give_up)
            }
            Intent::Say(text) => {
                Request::command("Your answer", from, &Command::Say { text }, Vec::new())
            }
            Intent::Result => Request::result(session),
            Intent::Problem => Request::problem(session, Language::Python),
            Intent::End => end(session),
        })
    }
}

/// The end, and the log in the form of 000, as the command `end` writes it.
fn end(session: SessionId) -> Request {
    let session = Some(session.to_string());
    let params = params(session.as_deref(), &Command::End {}, Vec::new());
    let export = ExportParams { session, form: Some(ExportForm::Jsonl) };
    Request::new(move |client, _| {
        client.call::<Do>(&params)?;
        // The session has ended, whatever becomes of its export.
        Ok(Answer::Done(match client.call::<Export>(&export) {
            Ok(written) => format!("The session's log was saved to: {}", written.path),
            Err(failure) => format!("The log could not be written to a file: {failure}"),
        }))
    })
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::drill::Phase;

    use super::*;
    use crate::intent::{Wish, parse, words};
    use crate::render::samples;

    fn read(line: &str) -> Intent {
        match parse::<Drilling>(line).unwrap() {
            Some(Wish::Do(intent)) => intent,
            other => panic!("{other:?}"),
        }
    }

    fn told(line: &str) -> String {
        parse::<Drilling>(line).unwrap_err().to_string()
    }

    fn calls(line: &str) -> Vec<usize> {
        match read(line) {
            Intent::Test { file, cases } => {
                assert_eq!(file, FileMeant::Known("my code.py".into()), "{line}");
                cases.iter().map(|case| case.ops.len()).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_test_has_a_file_and_perhaps_cases() {
        assert!(calls("/test my code.py").is_empty());
        assert!(calls("/test 'my code.py'").is_empty());
        assert_eq!(calls("/test my code.py --case LRUCache(1) put(1,1) get(1)==1"), [3]);
        let two = "/test 'my code.py' --case 'LRUCache(1) get(1)' --case [[\"LRUCache\",[1]]]";
        assert_eq!(calls(two), [2, 1]);
    }

    #[test]
    fn what_is_missing_unknown_or_too_much_is_one_clear_line() {
        assert!(told("/test a.py --case").starts_with("cannot read own case 1"));
        assert_eq!(told("/hint please"), "/hint stands alone on its line");
        assert_eq!(told("/begin"), "/begin is not a command here");
        assert_eq!(read("hello there"), Intent::Say("hello there".to_owned()));
    }

    #[test]
    fn a_file_that_is_not_named_is_the_one_that_was_submitted_last_or_the_usual_one() {
        let of = |phase, line| Drilling::completed(read(line), &samples::view(phase), None);
        let last = || FileMeant::Known("/home/ada/lru_cache.py".into());
        let usual = || FileMeant::Usual("lru_cache".parse().unwrap());
        let (judged, new) = (Phase::AwaitingAction, Phase::ProblemPresented);
        let submit = |file, again| Intent::Submit { file, again };
        assert_eq!(of(judged, "/submit"), submit(last(), false));
        for line in ["/submit --again", "/submit --again --again"] {
            assert_eq!(of(judged, line), submit(last(), true), "{line}");
        }
        assert_eq!(of(new, "/submit"), submit(usual(), false));
        let named = || FileMeant::Known("a b.py".into());
        assert_eq!(of(judged, "/submit a b.py"), submit(named(), false));
        for line in ["/submit --again a b.py", "/submit a b.py --again", "/submit 'a b.py' --again"]
        {
            assert_eq!(of(judged, line), submit(named(), true), "{line}");
        }
        let odd = FileMeant::Known("a--again".into());
        assert_eq!(of(judged, "/submit a--again"), submit(odd, false));
        let tested = |file| match of(file, "/test --case f(1)") {
            Intent::Test { file, cases } => (file, cases.len()),
            other => panic!("{other:?}"),
        };
        assert_eq!([tested(judged), tested(new)], [(last(), 1), (usual(), 1)]);
        for (line, whole) in [("/submit", false), ("/test", false), ("/submit a.py", true)] {
            assert_eq!(Drilling::is_whole(&read(line)), whole, "{line}");
        }
    }

    #[test]
    fn every_word_of_the_help_is_understood() {
        for (line, _) in words::<Drilling>() {
            let line = line.replace(['[', ']'], "").replace("--case C", "--case f(1)==2");
            let line = line.replace("/code N", "/code 2");
            assert!(matches!(parse::<Drilling>(&line), Ok(Some(_))), "{line}");
        }
    }
}
