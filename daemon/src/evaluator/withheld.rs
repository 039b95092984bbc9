//! What may be told of a hidden case. Its program has seen the case's arguments and chooses every
//! text and figure that it hands out; so nothing of them is kept but which of a few known words it
//! was: a kind of exception from a closed list, a fault, a limit, a figure's first digit. A place in
//! the file is no such word: names of functions, and lines by their number, can be made for the
//! purpose. Where a case failed its public twin shows, which runs without the data.

use vosim_protocol::v1::problem::Language;

use super::frames::Raised;
use super::languages::profile;

/// Every other kind: the program's own, too.
const ANOTHER_KIND: &str = "an exception of another kind";

/// An exception without what it could carry the case's data in: its text may quote them (a
/// `KeyError` is its key), its class and its place can be named after them.
pub(super) fn exception(raised: &Raised, language: Language) -> &'static str {
    let kinds = profile(language).kinds;
    kinds.iter().find(|kind| **kind == raised.kind).copied().unwrap_or(ANOTHER_KIND)
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

    fn told(kind: &str, language: Language) -> &'static str {
        exception(&Raised { kind: kind.to_owned(), ..Raised::default() }, language)
    }

    #[test]
    fn a_kind_is_one_of_a_closed_list_of_its_language() {
        assert_eq!(told("KeyError", Language::Python), "KeyError");
        assert_eq!(told("RangeError", Language::Javascript), "RangeError");
        for kind in ["RangeError", "KeyError4711", "KeyErro", "KeyError ", "w100", ""] {
            assert_eq!(told(kind, Language::Python), ANOTHER_KIND, "{kind:?}");
        }
        assert_eq!(told("KeyError", Language::Javascript), ANOTHER_KIND);
    }

    #[test]
    fn which_kind_it_was_is_at_most_four_bits() {
        for language in Language::ALL {
            // Together with every other kind.
            assert!(profile(language).kinds.len() < 16);
        }
    }

    #[test]
    fn figures_keep_a_digit_or_two() {
        assert_eq!([0, 9, 10, 19, 4711].map(one_digit), [0, 9, 10, 10, 4000]);
        assert_eq!([0, 99, 100, 109, 4711].map(two_digits), [0, 99, 100, 100, 4700]);
        assert_eq!(one_digit(u64::MAX), 10_000_000_000_000_000_000);
    }
}
