//! What may be told of a hidden case. Its program has seen the case's data and chooses every text
//! and figure that it hands out; so only what could stand there without the data is kept: words of
//! the candidate's own file, lines that it has, well-known names, figures of a digit or two. What is
//! left is which of these it was: that a case failed in one place and not in another is the point
//! of telling.

use vosim_protocol::v1::problem::Language;

use super::frames::Raised;

/// Exceptions that a file can meet without naming them.
const KNOWN_KINDS: [&str; 56] = [
    // Python's own.
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "ChildProcessError",
    "ConnectionError",
    "EOFError",
    "Exception",
    "ExceptionGroup",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "GeneratorExit",
    "ImportError",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PermissionError",
    "ProcessLookupError",
    "RecursionError",
    "ReferenceError",
    "RuntimeError",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "ValueError",
    "ZeroDivisionError",
    // JavaScript's, as far as they are others.
    "AggregateError",
    "DOMException",
    "Error",
    "EvalError",
    "RangeError",
    "URIError",
];

/// Parts of a function's name that the runtime adds.
const KNOWN_PARTS: [&str; 12] = [
    "module",
    "lambda",
    "listcomp",
    "dictcomp",
    "setcomp",
    "genexpr",
    "anonymous",
    "Object",
    "new",
    "async",
    "get",
    "set",
];

/// Most words of a function's name: `new`, a class, a method.
const PARTS_MAX: usize = 3;

/// An exception without what it could carry the case's data in. A text may quote them: a `KeyError`
/// is its key.
pub(super) fn exception(raised: &Raised, code: &[u8], language: Language) -> Raised {
    let code = String::from_utf8_lossy(code);
    let lines = code.lines().count() as u64;
    let is_known_kind =
        KNOWN_KINDS.contains(&raised.kind.as_str()) || stands_in(&code, &raised.kind);
    let place = |(line, function): &&(u64, String)| *line <= lines && is_function(&code, function);
    Raised {
        kind: if is_known_kind { raised.kind.clone() } else { any_exception(language).to_owned() },
        message: String::new(),
        trace: raised.trace.iter().filter(place).cloned().collect(),
        syntax: raised.syntax.map(|line| line.filter(|line| *line <= lines)),
        status: raised.status,
        memory: raised.memory,
    }
}

const fn any_exception(language: Language) -> &'static str {
    match language {
        Language::Python => "Exception",
        Language::Javascript => "Error",
    }
}

fn is_function(code: &str, name: &str) -> bool {
    let parts: Vec<_> =
        name.split(|c: char| !is_of_a_name(c)).filter(|one| !one.is_empty()).collect();
    let known = |part: &&str| KNOWN_PARTS.contains(part) || stands_in(code, part);
    (1..=PARTS_MAX).contains(&parts.len()) && parts.iter().all(known)
}

/// Whether a name is a word of the file.
fn stands_in(code: &str, name: &str) -> bool {
    let is_name = name.starts_with(|c: char| is_of_a_name(c) && !c.is_ascii_digit());
    is_name && code.split(|c: char| !is_of_a_name(c)).any(|word| word == name)
}

fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// A figure with one digit that counts: 4711 is 4000.
pub(super) const fn one_digit(figure: u64) -> u64 {
    digits(figure, 10)
}

/// A figure with two digits that count: 4711 is 4700.
pub(super) const fn two_digits(figure: u64) -> u64 {
    digits(figure, 100)
}

const fn digits(figure: u64, bound: u64) -> u64 {
    let mut unit = 1;
    while figure / unit >= bound {
        unit *= 10;
    }
    figure / unit * unit
}

/// A signal that a fault brings about; any other may be a message.
pub(super) const fn is_fault(signal: i32) -> bool {
    use nix::libc::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGKILL, SIGSEGV, SIGSYS, SIGTRAP};
    matches!(signal, SIGABRT | SIGBUS | SIGFPE | SIGILL | SIGKILL | SIGSEGV | SIGSYS | SIGTRAP)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &[u8] = b"class Full(Exception): pass\nclass LRUCache:\n  def get(self): ...\n";

    fn told(kind: &str, trace: &[(u64, &str)]) -> (String, Vec<(u64, String)>) {
        let trace = trace.iter().map(|(line, name)| (*line, (*name).to_owned())).collect();
        let raised = Raised {
            kind: kind.to_owned(),
            message: "4711".to_owned(),
            trace,
            syntax: Some(Some(4711)),
            ..Raised::default()
        };
        let told = exception(&raised, CODE, Language::Python);
        assert_eq!((told.message.as_str(), told.syntax), ("", Some(None)));
        (told.kind, told.trace)
    }

    #[test]
    fn a_kind_is_a_known_one_or_a_word_of_the_file() {
        for kind in ["KeyError", "Full", "LRUCache"] {
            assert_eq!(told(kind, &[]).0, kind);
        }
        for made in ["E4711", "4711", "Ful", "Full LRUCache", "", "Full\n"] {
            assert_eq!(told(made, &[]).0, "Exception", "{made:?}");
        }
    }

    #[test]
    fn a_place_is_a_line_and_a_function_of_the_file() {
        let real = [(3, "get"), (1, "<module>"), (2, "<lambda>"), (3, "new LRUCache")];
        let real = real.map(|(line, name)| (line, name.to_owned()));
        let given: Vec<_> = real.iter().map(|(line, name)| (*line, name.as_str())).collect();
        assert_eq!(told("KeyError", &given).1, real);
        let made = [(4711, "get"), (4, "get"), (3, "k4711"), (3, ""), (3, "get get set set")];
        assert_eq!(told("KeyError", &made).1, []);
    }

    #[test]
    fn figures_keep_a_digit_or_two() {
        assert_eq!([0, 9, 10, 19, 4711].map(one_digit), [0, 9, 10, 10, 4000]);
        assert_eq!([0, 99, 100, 109, 4711].map(two_digits), [0, 99, 100, 100, 4700]);
        assert_eq!(one_digit(u64::MAX), 10_000_000_000_000_000_000);
    }
}
