//! The commands of an interview as methods of the wire.

use crate::commands::call::commands;

commands! {
    /// Starts the clock.
    Begin = "interview.begin";
    /// Says something to the interviewer.
    Say = "interview.say";
    /// The open section is finished.
    Done = "interview.done";
    /// Judges a file.
    Submit = "interview.submit";
    /// Runs cases of the candidate's own.
    Test = "interview.test";
    /// Takes note of each save of a file.
    Watch = "interview.watch";
    /// No longer.
    Unwatch = "interview.unwatch";
    /// Asks the assistant.
    Ask = "interview.ask";
    /// Asks for a hint.
    Hint = "interview.hint";
    /// Leaves before the end.
    End = "interview.end";
}

#[cfg(test)]
mod tests {
    use vosim_protocol::Wire as _;
    use vosim_protocol::v1::assistant::AskKind;
    use vosim_protocol::v1::interview::Command;
    use vosim_protocol::v1::service::Method as _;
    use vosim_protocol::{Blob, v1::problem::Language};

    use super::*;

    #[test]
    fn methods_are_named_as_the_commands_are_spelled() {
        let code = Blob(b"x".to_vec()).reference();
        let (file_path, language) = ("/a.py".to_owned(), Language::Python);
        let test = Command::Test { file_path: file_path.clone(), code, language, cases: vec![] };
        let watch = Command::Watch { file_path: file_path.clone(), language };
        let submit = Command::Submit { file_path, code, language, again: false };
        let ask = Command::Ask { kind: AskKind::Concept, question: String::new(), code: None };
        for (name, command) in [
            (Begin::NAME, Command::Begin {}),
            (Say::NAME, Command::Say { text: String::new(), section: None }),
            (Done::NAME, Command::Done { section: None }),
            (Submit::NAME, submit),
            (Test::NAME, test),
            (Watch::NAME, watch),
            (Unwatch::NAME, Command::Unwatch {}),
            (Ask::NAME, ask),
            (Hint::NAME, Command::Hint {}),
            (End::NAME, Command::End {}),
        ] {
            let spelled = command.to_json()["command"].as_str().unwrap().to_owned();
            assert_eq!(name, format!("interview.{spelled}"));
        }
    }
}
