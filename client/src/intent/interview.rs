//! The words of an interview: a text is said to the interviewer.

use std::path::PathBuf;

use vosim_protocol::Blob;
use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::interview::{Command, View};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::{Accepted, Do, DoParams, OwnCase};

use crate::call::{params, problem_of};
use crate::case_syntax::operations;
use crate::client::new_command;
use crate::code_file::CodeFile;
use crate::errors::{Failure, code, user_error};
use crate::intent::request::{Answer, Attached, Request};
use crate::intent::{
    ReceiptText, Words, alone, file_and_again, file_and_cases, first_name, first_word, shortened,
    text, unknown_word,
};
use crate::message::checked;
use crate::render::interview::received;
use crate::render::look::Look;

/// Lines that are typed in an interview.
#[derive(Debug)]
pub(crate) enum Interviewing {}

/// What a candidate can ask of an interview.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Intent {
    /// Start the clock of the first section.
    Begin,
    /// Say something to the interviewer, in the section it was begun in where that is known.
    Say { text: String, section: Option<String> },
    /// Ask the assistant; `file` is the code the question is about.
    Ask { kind: AskKind, question: String, file: Option<PathBuf> },
    /// The open section is finished.
    Done { section: Option<String> },
    /// Judge a file; without a name the one that is watched. `again` means bytes that were judged
    /// before, too.
    Submit { file: Option<PathBuf>, again: bool },
    /// Run cases of one's own on a file; without a name on the one that is watched.
    Test { file: Option<PathBuf>, cases: Vec<OwnCase> },
    /// Ask for a hint.
    Hint,
    /// Show the last verdict again.
    Result,
    /// Show the problem again, with the signature of a language.
    Problem(Language),
    /// A line is being written, or no longer is.
    Typing { stopped: bool },
}

impl Words for Interviewing {
    type Intent = Intent;
    type View = View;

    const WORDS: &'static [(&'static str, &'static str)] = &[
        ("TEXT", "say it to the interviewer; //TEXT says /TEXT"),
        ("/begin", "start the clock of the first section"),
        ("/ask TEXT", "ask the assistant what a thing is or how it behaves"),
        ("/ask --error TEXT", "ask it what an error message means"),
        ("/ask --code FILE TEXT", "ask it about your own code"),
        ("/submit [FILE]", "submit a file, or the one that is watched"),
        ("/submit --again", "have the same code judged once more"),
        ("/test [FILE] --case C", "run cases of your own on a file, or on the one that is watched"),
        ("/hint", "ask for a hint"),
        ("/result", "show the last verdict again"),
        ("/problem", "show the problem again"),
        ("/done", "finish the section that is open"),
    ];

    fn text(text: &str) -> Result<Intent, Failure> {
        Ok(Intent::Say { text: text.to_owned(), section: None })
    }

    fn word(word: &str, rest: &str) -> Result<Option<Intent>, Failure> {
        Ok(Some(match word {
            "say" => Intent::Say { text: text(rest, "/say TEXT")?, section: None },
            "ask" => ask(rest)?,
            "submit" => {
                let (file, again) = file_and_again(rest);
                Intent::Submit { file, again }
            }
            "test" => {
                let (file, cases) = file_and_cases(rest)?;
                Intent::Test { file, cases }
            }
            "result" => alone(Intent::Result, word, rest)?,
            "problem" => alone(Intent::Problem(Language::Python), word, rest)?,
            "begin" => alone(Intent::Begin, word, rest)?,
            "done" => alone(Intent::Done { section: None }, word, rest)?,
            "hint" => alone(Intent::Hint, word, rest)?,
            _ => return Ok(None),
        }))
    }

    fn is_whole(intent: &Intent) -> bool {
        !matches!(
            intent,
            Intent::Submit { file: None, .. }
                | Intent::Test { file: None, .. }
                | Intent::Problem(_)
        )
    }

    fn typing(stopped: bool) -> Option<Intent> {
        Some(Intent::Typing { stopped })
    }

    /// An answer that crosses the boundary of a section belongs to the question it was begun
    /// under (001 5.2).
    fn completed(intent: Intent, view: &View, begun_in: Option<&str>) -> Intent {
        let begun_in = begun_in.map(str::to_owned);
        let watched = || view.watched.as_ref().map(|watched| (&watched.file_path).into());
        match intent {
            Intent::Submit { file: None, again } => Intent::Submit { file: watched(), again },
            Intent::Test { file: None, cases } => Intent::Test { file: watched(), cases },
            Intent::Problem(usual) => {
                let watched = view.watched.as_ref().map(|watched| watched.language);
                Intent::Problem(watched.unwrap_or(usual))
            }
            Intent::Say { text, section } => Intent::Say { text, section: begun_in.or(section) },
            Intent::Done { section } => Intent::Done { section: begun_in.or(section) },
            Intent::Begin
            | Intent::Ask { .. }
            | Intent::Submit { file: Some(_), .. }
            | Intent::Test { file: Some(_), .. }
            | Intent::Hint
            | Intent::Result
            | Intent::Typing { .. } => intent,
        }
    }

    fn receipt(what: &str, accepted: &Accepted, look: &Look) -> Option<ReceiptText> {
        let receipt = accepted.receipt.as_ref()?;
        Some(ReceiptText { text: received(what, receipt, look), warns: receipt.late })
    }

    fn request(intent: Intent, from: Attached) -> Result<Request, Failure> {
        Ok(match intent {
            Intent::Begin => Request::command("Your 'begin'", from, &Command::Begin {}, Vec::new()),
            Intent::Say { text, section } => {
                let say = Command::Say { text: checked(&text)?.to_owned(), section };
                Request::command("Your message", from, &say, Vec::new())
            }
            Intent::Ask { kind, question, file } => {
                let question = checked(&question)?.to_owned();
                let file = file.filter(|_| kind == AskKind::Code);
                let code = file.as_deref().map(CodeFile::asked_about).transpose()?;
                let code = code.map(|file| file.code);
                let reference = code.as_ref().map(Blob::reference);
                let ask = Command::Ask { kind, question, code: reference };
                Request::command("Your question", from, &ask, code.into_iter().collect())
            }
            Intent::Done { section } => {
                Request::command("Your 'done'", from, &Command::Done { section }, Vec::new())
            }
            Intent::Submit { file, again } => {
                let file = CodeFile::read(&file.ok_or_else(no_file)?, None)?;
                let submit = Command::Submit {
                    file_path: file.path,
                    code: file.code.reference(),
                    language: file.language,
                    again,
                };
                Request::command("Your submission", from, &submit, vec![file.code])
            }
            Intent::Test { file, cases } => {
                test(&CodeFile::read(&file.ok_or_else(no_file)?, None)?, cases, from)
            }
            Intent::Hint => Request::hint("Your hint request", from, &Command::Hint {}),
            Intent::Result => Request::result(from.session),
            Intent::Problem(language) => Request::problem(from.session, language),
            Intent::Typing { stopped } => {
                Request::command("Your typing", from, &Command::Typing { stopped }, Vec::new())
            }
        })
    }
}

/// Cases of one's own, which must fit the problem; what they gave is told as an event.
fn test(file: &CodeFile, cases: Vec<OwnCase>, from: Attached) -> Request {
    let (file, command_id) = (file.clone(), new_command());
    Request::new(move |client, _| {
        let card = problem_of(client, from.session)?;
        let CodeFile { path: file_path, language, code, .. } = file.clone();
        let cases = operations(cases.clone(), &card.interface)?;
        let test = Command::Test { file_path, code: code.reference(), language, cases };
        let session = from.session.to_string();
        let params = params(Some(&session), &test, vec![code]);
        let params = DoParams { role: from.role, command_id, ..params };
        let accepted = Box::new(client.call::<Do>(&params)?);
        Ok(Answer::Accepted { what: "Your run", accepted })
    })
}

fn no_file() -> Failure {
    user_error(code::USAGE, "no file was named, and none is watched")
}

fn ask(rest: &str) -> Result<Intent, Failure> {
    let (flag, after) = first_word(rest);
    let (kind, file, question) = match flag {
        "--concept" => (AskKind::Concept, None, after),
        "--error" => (AskKind::Error, None, after),
        "--code" => {
            let (file, question) = first_name(after, "/ask --code FILE TEXT")?;
            (AskKind::Code, Some(file.into()), question)
        }
        flag if flag.starts_with("--") => {
            return Err(unknown_word(&format!("ask {}", shortened(flag))));
        }
        _ => (AskKind::Concept, None, rest),
    };
    let usage = if kind == AskKind::Code { "/ask --code FILE TEXT" } else { "/ask TEXT" };
    Ok(Intent::Ask { kind, question: text(question, usage)?, file })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::{Wish, parse, words};

    fn read(line: &str) -> Option<Wish<Intent>> {
        parse::<Interviewing>(line).unwrap()
    }

    fn told(line: &str) -> String {
        parse::<Interviewing>(line).unwrap_err().to_string()
    }

    fn does(intent: Intent) -> Option<Wish<Intent>> {
        Some(Wish::Do(intent))
    }

    fn say(text: &str) -> Option<Wish<Intent>> {
        does(Intent::Say { text: text.to_owned(), section: None })
    }

    fn ask(kind: AskKind, question: &str, file: Option<&str>) -> Option<Wish<Intent>> {
        does(Intent::Ask { kind, question: question.to_owned(), file: file.map(PathBuf::from) })
    }

    #[test]
    fn a_line_is_a_message_and_an_empty_one_is_nothing() {
        assert_eq!(read("  a map and a list \r\n"), say("a map and a list"));
        assert_eq!(read(""), None);
        assert_eq!(read(" \t "), None);
        assert_eq!(read("//etc/passwd is a path"), say("/etc/passwd is a path"));
        assert_eq!(read("/say /done"), say("/done"));
        assert_eq!(read("done"), say("done"));
        assert_eq!(read("größe 漢字"), say("größe 漢字"));
    }

    #[test]
    fn words_behind_a_slash_are_commands() {
        assert_eq!(read("/done"), does(Intent::Done { section: None }));
        assert_eq!(read("/begin "), does(Intent::Begin));
        assert_eq!(read("/hint"), does(Intent::Hint));
        assert_eq!(read("/status"), Some(Wish::Status));
        assert_eq!([read("/help"), read("/?")], [Some(Wish::Help), Some(Wish::Help)]);
        assert_eq!([read("/quit"), read("/exit")], [Some(Wish::Quit), Some(Wish::Quit)]);
        assert_eq!(read("/note too fast"), Some(Wish::Note("too fast".to_owned())));
    }

    #[test]
    fn a_file_to_submit_is_the_rest_of_the_line() {
        let meant = |name: Option<&str>, again| {
            does(Intent::Submit { file: name.map(PathBuf::from), again })
        };
        let submit = |name: Option<&str>| meant(name, false);
        assert_eq!(read("/submit"), submit(None));
        assert_eq!(read("/submit --again"), meant(None, true));
        assert_eq!(read("/submit my code.py --again"), meant(Some("my code.py"), true));
        for line in ["/submit my code.py", "/submit 'my code.py'", "/submit  \"my code.py\""] {
            assert_eq!(read(line), submit(Some("my code.py")), "{line}");
        }
        assert_eq!(read("/submit it's.py"), submit(Some("it's.py")));
    }

    #[test]
    fn a_question_says_what_it_is_about() {
        assert_eq!(read("/ask what is a heap"), ask(AskKind::Concept, "what is a heap", None));
        assert_eq!(read("/ask --concept heaps"), ask(AskKind::Concept, "heaps", None));
        assert_eq!(read("/ask --error KeyError: 7"), ask(AskKind::Error, "KeyError: 7", None));
        let code = ask(AskKind::Code, "why two maps", Some("a b.py"));
        assert_eq!(read("/ask --code 'a b.py' why two maps"), code);
        let code = ask(AskKind::Code, "why", Some("a.py"));
        assert_eq!(read("/ask --code a.py why"), code);
    }

    #[test]
    fn what_is_missing_unknown_or_too_much_is_one_clear_line() {
        assert_eq!(told("/ask"), "a text is missing: /ask TEXT");
        assert_eq!(told("/ask --error"), "a text is missing: /ask TEXT");
        for line in ["/ask --code", "/ask --code a.py", "/ask --code '' x", "/ask --code 'a x"] {
            assert_eq!(told(line), "a text is missing: /ask --code FILE TEXT", "{line}");
        }
        assert_eq!(told("/note"), "a text is missing: /note TEXT");
        assert_eq!(told("/frobnicate now"), "/frobnicate is not a command here");
        assert_eq!(told("/"), "/ is not a command here");
        assert_eq!(told("/ask --solution please"), "/ask --solution is not a command here");
        assert_eq!(told("/done, I think"), "/done, is not a command here");
        assert_eq!(told("/done I think"), "/done stands alone on its line");
        assert!(told(&format!("/{}", "é".repeat(40_000))).len() < 100);
    }

    #[test]
    fn every_word_of_the_help_is_understood() {
        for (line, _) in words::<Interviewing>().skip(1) {
            let line = line.replace(['[', ']'], "").replace("--case C", "--case f(1)==2");
            let line = line.replace("/code N", "/code 2");
            assert!(matches!(parse::<Interviewing>(&line), Ok(Some(_))), "{line}");
        }
    }
}
