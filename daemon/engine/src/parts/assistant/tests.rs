//! What is let through and what is not; the answers are in `allowed.rs` and `attacks.rs`, those
//! close to the bounds, in pairs, in `bounds.rs`.

mod allowed;
mod attacks;
mod bounds;

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;

const PYTHON: &str = r#"
class Entry:
    def __init__(self, key=0, value=0):
        self.key = key
        self.value = value
        self.before = self.after = self


class LRUCache:
    """A dictionary finds the entry, a ring of entries keeps the order."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = {}
        self.ring = Entry()  # its neighbours are the oldest and the newest

    def get(self, key: int) -> int:
        entry = self.entries.get(key)
        if entry is None:
            return -1
        self._take_out(entry)
        self._put_last(entry)
        return entry.value

    def put(self, key: int, value: int) -> None:
        entry = self.entries.get(key)
        if entry is not None:
            self._take_out(entry)
        elif len(self.entries) == self.capacity:
            oldest = self.ring.after
            self._take_out(oldest)
            del self.entries[oldest.key]
        entry = self.entries[key] = Entry(key, value)
        self._put_last(entry)

    def _take_out(self, entry):
        entry.before.after = entry.after
        entry.after.before = entry.before

    def _put_last(self, entry):
        entry.before, entry.after = self.ring.before, self.ring
        self.ring.before.after = self.ring.before = entry
"#;

const ORDERED: &str = "
from collections import OrderedDict

class LRUCache:
    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.items = OrderedDict()

    def get(self, key: int) -> int:
        if key not in self.items:
            return -1
        self.items.move_to_end(key)
        return self.items[key]

    def put(self, key: int, value: int) -> None:
        self.items[key] = value
        self.items.move_to_end(key)
        if len(self.items) > self.capacity:
            self.items.popitem(last=False)
";

const SCRIPT: &str = r#"
"use strict";
class LRUCache {
  constructor(capacity) {
    this.capacity = capacity;
    this.items = new Map();
  }
  get(key) {
    if (!this.items.has(key)) return -1;
    const value = this.items.get(key);
    this.items.delete(key);
    this.items.set(key, value);
    return value;
  }
  put(key, value) {
    this.items.delete(key);
    if (this.items.size === this.capacity) {
      this.items.delete(this.items.keys().next().value);
    }
    this.items.set(key, value);
  }
}
module.exports = { LRUCache };
"#;

const STARTER: &str = "
class LRUCache:
    def __init__(self, capacity: int) -> None:
        \"\"\"Start empty, with room for `capacity` keys.\"\"\"

    def get(self, key: int) -> int:
        \"\"\"Return the value of `key`, or -1 if it is not in the cache.\"\"\"

    def put(self, key: int, value: int) -> None:
        \"\"\"Store `value` under `key`; a full cache makes room first.\"\"\"
";

const STATEMENT: &str = "Build a cache with a fixed capacity that drops its least recently used \
    key. `get(key)` returns the value stored under `key`, or `-1` if the key is not in the cache.";

fn reference() -> Reference {
    REFERENCE.clone()
}

static REFERENCE: LazyLock<Reference> = LazyLock::new(|| {
    Reference::new([PYTHON, ORDERED, SCRIPT].into_iter(), [STATEMENT, STARTER].into_iter())
});

#[test]
fn what_is_let_through_is_the_answer_itself_and_what_is_not_is_withheld() {
    let reference = reference();
    let answer = "A dictionary finds a key in constant time on average.";
    let reply = check(Some(answer), &reference, 7);
    assert_eq!(
        reply,
        Reply {
            text: answer.to_owned(),
            violations: Vec::new(),
            withheld: None,
            unanswered: false,
            released_tokens: 7,
        }
    );
    let reply = check(Some(PYTHON), &reference, 7);
    assert_eq!(reply.text, REFUSAL);
    assert_eq!(reply.withheld.as_deref(), Some(PYTHON));
    assert_eq!(reply.released_tokens, 7, "what is withheld releases nothing");
    for none in [None, Some(""), Some(" \n\t")] {
        let reply = check(none, &reference, 7);
        assert!(reply.unanswered && reply.withheld.is_none() && reply.violations.is_empty());
        assert_eq!((reply.text.as_str(), reply.released_tokens), (UNANSWERED, 7));
    }
}

#[test]
fn what_the_candidate_may_read_is_no_leak() {
    let starter: Vec<_> = STARTER.trim().lines().take(1).collect();
    let answer = format!("Keep this line: `{}`, and `def get(self, key: int) -> int:`", starter[0]);
    assert_eq!(check(Some(&answer), &reference(), 0).violations, []);
    let without = Reference::new([PYTHON].into_iter(), std::iter::empty());
    assert_eq!(check(Some(&answer), &without, 0).violations, [Violation::Reference]);
}

#[test]
fn the_reference_is_not_printed() {
    assert_eq!(format!("{:?}", Reference::default()), "Reference { runs: 0, .. }");
    assert!(!format!("{:?}", reference()).contains("entries"));
}

#[test]
fn an_answer_of_the_largest_size_is_checked() {
    for part in
        ["`", "```\n", "a = b; ", "first create ", "/*", "(1) ", "> ", "x\u{301}", "'(", "\n"]
    {
        let reply = check(Some(&part.repeat(64 * 1024 / part.len())), &reference(), 0);
        assert!(reply.unanswered || reply.withheld.is_some(), "{part:?}");
    }
}

/// One line in each answer, in words that are allowed on their own.
fn attack(lines: &[&str]) -> (Vec<Vec<Violation>>, usize) {
    let reference = reference();
    let mut released = 0;
    let mut shown = 0;
    let mut violations = Vec::new();
    for line in lines {
        let reply =
            check(Some(&format!("The next line is `{}`", line.trim())), &reference, released);
        assert!(reply.released_tokens <= RELEASED_MAX);
        shown += usize::from(reply.violations.is_empty());
        released = reply.released_tokens;
        violations.push(reply.violations);
    }
    (violations, shown)
}

#[test]
fn one_line_at_a_time_ends_refused() {
    for program in [PYTHON, ORDERED, SCRIPT] {
        let public = |line: &str| STARTER.contains(line.trim());
        let lines: Vec<_> = program.lines().filter(|line| !public(line)).collect();
        let (_, shown) = attack(&lines);
        assert!(shown * 3 < lines.len() * 2, "{shown} of {} lines", lines.len());
    }
    // Ten turns, every name changed, so that no run of the reference is left.
    let renamed = [
        "c.room, c.table, c.ends = n, {}, Link()",
        "found = c.table.get(wanted)",
        "if found is None: return missing",
        "cut(found); paste(c.ends, found)",
        "found = c.table.pop(wanted, None)",
        "if found: cut(found)",
        "if len(c.table) >= c.room: drop = c.ends.right",
        "cut(drop); c.table.pop(drop.name)",
        "fresh = Link(wanted, what)",
        "c.table[wanted] = fresh; paste(c.ends, fresh)",
    ];
    let (violations, shown) = attack(&renamed);
    assert_eq!(violations.last(), Some(&vec![Violation::LeakBudget]), "{violations:?}");
    assert!(shown < renamed.len(), "{shown}");
    assert_eq!(
        check(Some(&format!("It is `{}`", renamed[9])), &Reference::default(), RELEASED_MAX).text,
        REFUSAL_BUDGET
    );
}

proptest! {
    /// No five tokens of a reference get through, whatever stands between and around them.
    #[test]
    fn a_run_of_the_reference_never_gets_through(
        program in 0_usize..3,
        at in 0_usize..200,
        gaps in prop::collection::vec("[ .,;:()=\n\t\u{a0}\u{2003}-]{1,3}", REFERENCE_RUN + 1),
        upper in any::<bool>(),
        before in "[a-z ]{0,20}",
    ) {
        let reference = reference();
        let text = tokens::fold(&tokens::without_comments(&tokens::fold([PYTHON, ORDERED, SCRIPT][program])));
        let all = tokens::tokens(&text);
        let at = at % (all.len() - REFERENCE_RUN);
        let run = &all[at..at + REFERENCE_RUN];
        prop_assume!(reference.holds_a_run_of(run));
        let mut answer = before;
        for (gap, token) in gaps.iter().zip(run) {
            answer.push_str(gap);
            answer.push_str(token);
        }
        answer.push_str(&gaps[REFERENCE_RUN]);
        if upper {
            answer = answer.to_uppercase();
        }
        let reply = check(Some(&answer), &reference, 0);
        prop_assert!(reply.violations.contains(&Violation::Reference), "{answer:?}");
        prop_assert_eq!(reply.withheld, Some(answer));
    }

    #[test]
    fn the_budget_is_never_passed(
        answers in prop::collection::vec("(`?[a-z_]{1,5}`?[ .(=;)]{1,2}|\n|```\n){0,20}", 0..12),
    ) {
        let reference = reference();
        let mut released = 0;
        for answer in answers {
            let reply = check(Some(&answer), &reference, released);
            prop_assert!(reply.released_tokens >= released && reply.released_tokens <= RELEASED_MAX);
            prop_assert_eq!(reply.withheld.is_some(), !reply.violations.is_empty());
            prop_assert!(reply.violations.is_sorted());
            prop_assert!(reply.violations.is_empty() || !reply.text.contains(&answer));
            released = reply.released_tokens;
        }
    }
}
