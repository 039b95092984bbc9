//! The interpreters that run candidates' code.

use std::path::Path;

use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::Check;

use super::check::{fail, ok, warn};
use crate::evaluator::{Interpreter, Refusal, Runtime};

/// The interpreter of a language that is used, and those that were rejected before it.
pub(super) fn interpreter(
    language: Language,
    found: &Result<Runtime, Refusal>,
    wanted: Option<&Path>,
) -> Check {
    let Interpreter { setting, required, fix } = Interpreter::of(language);
    // One that runs another language, too, is listed under that one's name already.
    let name = if language.extends().is_some() { language.name() } else { setting };
    let fix = || Some(fix.to_owned());
    let title = language.title();
    match (found, required) {
        (Ok(runtime), _) => used(name, setting, runtime, wanted),
        // Without a helper none can be tried, which its own line and this text say; and one that is
        // there need not be installed: the text says what keeps it from being used.
        (Err(refusal @ (Refusal::Sandbox(_) | Refusal::Defective(_))), true) => {
            fail(name, refusal.to_string(), None)
        }
        (Err(refusal), true) => fail(name, refusal.to_string(), fix()),
        (Err(refusal @ Refusal::Defective(_)), false) => {
            warn(name, format!("{title} cannot be judged. {refusal}"), None)
        }
        (Err(refusal @ Refusal::Sandbox(_)), false) => {
            warn(name, format!("{title} cannot be judged: {refusal}"), None)
        }
        (Err(refusal), false) => warn(name, format!("{title} cannot be judged. {refusal}"), fix()),
    }
}

/// Passes, or warns that a setting names an unusable interpreter: that one is tried first.
fn used(name: &str, setting: &str, runtime: &Runtime, wanted: Option<&Path>) -> Check {
    let Runtime { path, version, passed_over, .. } = runtime;
    let mut text = format!("{version} at {}", path.display());
    if !passed_over.is_empty() {
        text = format!("{text}. {}", passed_over.join(" "));
    }
    match wanted.filter(|_| !passed_over.is_empty()) {
        Some(_) => warn(name, text, Some(format!("correct evaluator.{setting} in the settings"))),
        None => ok(name, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vosim_protocol::v1::service::CheckStatus;

    #[test]
    fn an_interpreter_that_was_passed_over_is_named_with_its_reason() {
        let found = Runtime {
            language: Language::Python,
            path: "/usr/bin/python3.11".into(),
            version: "3.11.7".to_owned(),
            mounts: Vec::new(),
            passed_over: vec!["/opt/python3 was passed over: it is PyPy.".to_owned()],
            packed: None,
        };
        let check = interpreter(Language::Python, &Ok(found.clone()), None);
        assert_eq!(
            check.found,
            "3.11.7 at /usr/bin/python3.11. /opt/python3 was passed over: it is PyPy."
        );
        assert_eq!(check.status, CheckStatus::Ok, "nobody asked for that one");
        let check = interpreter(Language::Python, &Ok(found), Some(Path::new("/opt/python3")));
        assert_eq!(check.status, CheckStatus::Warn);
        assert!(check.fix.unwrap().contains("evaluator.python"));
        let helpless =
            interpreter(Language::Python, &Err(Refusal::Sandbox("starting /no".to_owned())), None);
        assert_eq!((helpless.status, helpless.fix), (CheckStatus::Fail, None));
        let there = Refusal::Defective("No Python can be used. Mend that.".to_owned());
        let there = interpreter(Language::Python, &Err(there), None);
        assert_eq!((there.status, there.fix), (CheckStatus::Fail, None));
        let none = interpreter(
            Language::Python,
            &Err(Refusal::Interpreter("No Python was found.".to_owned())),
            None,
        );
        assert_eq!(none.status, CheckStatus::Fail);
    }

    #[test]
    fn without_node_there_is_a_warning_that_names_the_package() {
        let none = interpreter(
            Language::Javascript,
            &Err(Refusal::Interpreter("No Node.js was found.".to_owned())),
            None,
        );
        assert_eq!(none.status, CheckStatus::Warn);
        assert!(none.found.contains("No Node.js was found."), "{}", none.found);
        assert!(none.fix.unwrap().contains("`nodejs`"));
        let none =
            interpreter(Language::Typescript, &Err(Refusal::Interpreter("None.".to_owned())), None);
        assert_eq!((none.name.as_str(), none.status), ("typescript", CheckStatus::Warn));
        assert_eq!(none.found, "TypeScript cannot be judged. None.");
    }
}
