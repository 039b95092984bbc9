//! Notices when an agent goes round in circles: the same error again and again (002 9.2), the same call
//! with the same result, two calls in turn, or nothing changed after a failure.
//!
//! An error is the same whatever numbers, addresses, paths and quoted values it holds. What was seen
//! before a task was resumed, or went on with another model, does not count again.

use vosim_protocol::Hash;
use vosim_protocol::v1::agent::TestError;

/// The same error so often is a circle; the current one counts.
pub const SAME_ERROR: u32 = 3;
/// The same call that failed in the same way so often is one.
pub const SAME_FAILED_CALL: u32 = 3;
/// The same call with the same good result so often is one.
pub const SAME_CALL: u32 = 4;
/// Two calls in turn, so many in all, are one.
pub const BACK_AND_FORTH: u32 = 6;
/// So many iterations without a change are one.
pub const NO_CHANGE: u32 = 2;
/// Calls further back do not count.
const WINDOW: usize = 10;
/// Most characters of an error that two are compared by.
const COMPARED: usize = 300;

/// How it goes round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// An error.
    SameError(String, u32),
    /// A call.
    SameCall(u32),
    /// Two calls.
    BackAndForth(u32),
    /// Nothing.
    NoChange(u32),
}

/// What has been seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    errors: Vec<String>,
    calls: Vec<Call>,
    unchanged: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Call {
    /// Tool and arguments.
    what: Hash,
    result: Hash,
    ok: bool,
}

impl Seen {
    /// A call with its result.
    pub fn call(&mut self, tool: &str, arguments: Hash, result: Hash, ok: bool) {
        let what = Hash::of(format!("{tool} {arguments}").as_bytes());
        self.calls.push(Call { what, result, ok });
        let old = self.calls.len().saturating_sub(WINDOW);
        self.calls.drain(..old);
    }

    /// A conversation has ended; what was called in it is no part of the next.
    pub fn calls_over(&mut self) {
        self.calls.clear();
    }

    /// The first error of a run that failed, and whether anything was changed before it.
    pub fn failed(&mut self, error: Option<&TestError>, changed: bool) {
        self.errors.extend(error.map(signature));
        self.unchanged = if changed { 0 } else { self.unchanged + 1 };
    }

    /// Nothing of before counts any more.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// The circle that the calls of a conversation are in.
    pub fn in_calls(&self) -> Option<Found> {
        let last = *self.calls.last()?;
        let times = self.calls.iter().filter(|call| **call == last).count();
        let times = u32::try_from(times).unwrap_or(u32::MAX);
        if times >= if last.ok { SAME_CALL } else { SAME_FAILED_CALL } {
            return Some(Found::SameCall(times));
        }
        let long = usize::try_from(BACK_AND_FORTH).unwrap_or(usize::MAX);
        let tail = &self.calls[self.calls.len().checked_sub(long)?..];
        let in_turn = tail.iter().zip(&tail[2..]).all(|(one, other)| one == other);
        (in_turn && tail[0] != tail[1]).then_some(Found::BackAndForth(BACK_AND_FORTH))
    }

    /// The circle that the iterations are in.
    pub fn in_iterations(&self) -> Option<Found> {
        let last = self.errors.last()?;
        let times = self.errors.iter().filter(|error| *error == last).count();
        let times = u32::try_from(times).unwrap_or(u32::MAX);
        if times >= SAME_ERROR {
            return Some(Found::SameError(last.clone(), times));
        }
        (self.unchanged >= NO_CHANGE).then_some(Found::NoChange(self.unchanged))
    }
}

/// What makes two errors the same: type, message without what varies, test, and the function at the top.
pub fn signature(error: &TestError) -> String {
    let TestError { test, error_type, message, place } = error;
    let place = place.rsplit_once(':').map_or(place.as_str(), |(place, _)| place);
    format!("{error_type}: {} in {test} {}", normalised(message), normalised(place))
}

/// A message without quoted values, paths, addresses and numbers.
pub fn normalised(message: &str) -> String {
    let mut kept = String::new();
    let mut rest = message.chars().take(COMPARED).peekable();
    let mut last = ' ';
    while let Some(c) = rest.next() {
        let inside_word = last.is_alphanumeric() || last == '_';
        match c {
            // An apostrophe inside a word quotes nothing.
            '\'' | '"' | '`' if !inside_word => {
                while rest.next_if(|inner| *inner != c).is_some() {}
                rest.next();
                kept.push('*');
            }
            c if c.is_ascii_digit() && !inside_word => {
                while rest.next_if(|next| next.is_ascii_alphanumeric() || *next == '.').is_some() {}
                kept.push('#');
            }
            '/' => {
                let part = |next: &char| next.is_alphanumeric() || "/._-".contains(*next);
                while rest.next_if(part).is_some() {}
                kept.push('/');
            }
            c if c.is_whitespace() => {
                if !kept.ends_with(' ') {
                    kept.push(' ');
                }
            }
            c => kept.push(c),
        }
        last = c;
    }
    kept.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(message: &str) -> TestError {
        let (test, error_type) = ("test_one".to_owned(), "KeyError".to_owned());
        TestError { test, error_type, message: message.to_owned(), place: "main.py:12".to_owned() }
    }

    fn hash(text: &str) -> Hash {
        Hash::of(text.as_bytes())
    }

    #[test]
    fn errors_that_differ_in_numbers_addresses_paths_and_values_alone_are_the_same() {
        let same = [
            "object at 0x7f3a91 is not 'a' in /tmp/one/main.py line 12",
            "object at 0x551bc0 is not 'bcd' in /var/two.py line 7",
        ];
        assert_eq!(normalised(same[0]), "object at # is not * in / line #");
        assert_eq!(signature(&error(same[0])), signature(&error(same[1])));
        let moved = TestError { place: "main.py:99".to_owned(), ..error(same[0]) };
        assert_eq!(signature(&moved), signature(&error(same[0])));
        let other = TestError { test: "test_two".to_owned(), ..error(same[0]) };
        assert_ne!(signature(&other), signature(&error(same[0])), "another test");
        assert_ne!(signature(&error("it can't be")), signature(&error("it won't be")));
    }

    #[test]
    fn the_third_time_of_the_same_error_is_a_circle_and_needs_not_be_in_a_row() {
        let mut seen = Seen::default();
        for (message, found) in [("line 1", None), ("other", None), ("line 2", None)] {
            seen.failed(Some(&error(message)), true);
            assert_eq!(seen.in_iterations(), found);
        }
        seen.failed(Some(&error("line 3")), true);
        assert!(matches!(seen.in_iterations(), Some(Found::SameError(_, SAME_ERROR))));
        seen.forget();
        assert_eq!(seen.in_iterations(), None);
        seen.failed(Some(&error("line 4")), true);
        assert_eq!(seen.in_iterations(), None, "what came before does not count again");
    }

    #[test]
    fn the_same_call_with_the_same_result_is_a_circle_sooner_where_it_fails() {
        for (ok, times) in [(true, SAME_CALL), (false, SAME_FAILED_CALL)] {
            let mut seen = Seen::default();
            for nth in 1..=times {
                assert_eq!(seen.in_calls(), None, "{nth}");
                seen.call("list_files", hash("{}"), hash("nothing"), ok);
            }
            assert_eq!(seen.in_calls(), Some(Found::SameCall(times)));
            seen.calls_over();
            assert_eq!(seen.in_calls(), None);
        }
        let mut seen = Seen::default();
        for result in ["1", "2", "3", "4", "5"] {
            seen.call("list_files", hash("{}"), hash(result), true);
        }
        assert_eq!(seen.in_calls(), None, "the results differ");
    }

    #[test]
    fn two_calls_in_turn_are_a_circle_after_three_rounds() {
        let mut seen = Seen::default();
        for round in 0..3 {
            assert_eq!(seen.in_calls(), None, "{round}");
            for file in ["a", "b"] {
                seen.call("read_file", hash(file), hash(file), true);
            }
        }
        assert_eq!(seen.in_calls(), Some(Found::BackAndForth(BACK_AND_FORTH)));
    }

    #[test]
    fn two_failures_without_a_change_are_a_circle() {
        let mut seen = Seen::default();
        seen.failed(Some(&error("one")), false);
        assert_eq!(seen.in_iterations(), None);
        seen.failed(Some(&error("two thing")), false);
        assert_eq!(seen.in_iterations(), Some(Found::NoChange(2)));
        seen.failed(Some(&error("three things")), true);
        assert_eq!(seen.in_iterations(), None);
    }
}
