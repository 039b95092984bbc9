//! What stands close to a bound, on both sides of it.

use Violation::{Code, Plan, Reference as Leak};

use super::*;

/// Keywords that are spoken of, and what looks a little like code or a plan.
const SPOKEN: [&str; 24] = [
    "`const`, `let` and `var` declare a name; `const` binds it once, `var` belongs to the whole function.",
    "`break` leaves a loop, `continue` goes on with its next round, `return` leaves the function, `yield` hands out one value.",
    "- `break`\n- `continue`\n- `return`\n- `yield`\n- `await`",
    "- `const` cannot be bound again\n- `let` can\n- `var` belongs to its function\n- `import` stands at the top",
    "1. `break` leaves loops\n2. `continue` skips rounds\n3. `return` ends calls\n4. `raise` ends them with an error",
    "`try`/`except`/`else`/`finally` belong together; `finally:` always runs, `else:` only without an exception.",
    "`for … of` takes values, `for … in` takes names; `while True:` runs until a `break`.",
    "`async`/`await`, `yield from`, `return None`, `import`, `from`, `del`, `raise` and `lambda` are keywords of Python.",
    "`is not`, `not in`, `and`, `or` bind more weakly than a comparison.",
    "With n = 1,000 and m = 20 that is about n * m = 20,000 steps, and k = 5 more for each.",
    "The cost is T(n) = 2T(n/2) + n, which is O(n log n).",
    "`a == b` compares, a != b too, and a <= b orders; x => y is an arrow function.",
    "`popitem(last=False)` takes the oldest pair, popitem(last=True) the newest one.",
    "The options are read as key=value pairs.",
    "Call `d.get(key)`, d.get(key) and d.pop(key) look a key up; len(d) counts.",
    "What does get(key) return when the key is not there?",
    "The map grows, then the oldest key is dropped, and finally the size is as before.",
    "a) cheap at both ends\nb) dear in the middle\nc) ordered",
    "# Lists\nA list keeps order.\n# Sets\nA set does not.\n# Dictionaries\nThey find by key.",
    "① lists ② sets ③ dictionaries",
    "The letters a, b and c stand for n, m and k; i, j run over them.",
    "It goes from a to b to c. First it reads, then it runs.",
    "The entry of a dictionary is found by its key, and the value is returned.",
    "Use <code>in</code> to ask whether a key is there.",
];

/// The same on the other side, with the rule that must catch it.
const WRITTEN: [(Violation, &str); 35] = [
    // Keywords with what makes them statements.
    (Code, "`return -1`, `return value`, `break;` and `import heapq`"),
    (Code, "break\ncontinue\nreturn\nyield"),
    (Code, "```\nbreak\ncontinue\nreturn\nyield\n```"),
    (Code, "`if` k in d:\n`return` d[k]\n`while` len(d) > n:\n`del` d[old]"),
    // In sentences without any mark.
    (
        Code,
        "You set d = {} and o = [] at first; on a put d[k] = v and then r = o.pop(0), nothing else.",
    ),
    (Code, "Write d={}, o=[], d[k]=v and r=o.pop(0) in this order."),
    (Code, "Take \"d = {}\", \"o = []\", \"d[k] = v\" and \"r = o.pop(0)\"."),
    (Code, "**d = {}**\n\n**o = []**\n\n**d[k] = v**\n\n**r = o.pop(0)**"),
    (Code, "line 1: d = {}\nline 2: o = []\nline 3: d[k] = v\nline 4: r = o.pop(0)"),
    (Code, "# d = {}\n# o = []\n# d[k] = v\n# r = o.pop(0)"),
    (Code, "In [1]: d = {}\nIn [2]: o = []\nIn [3]: d[k] = v\nIn [4]: r = o.pop(0)"),
    (
        Code,
        "| step | code |\n| a | d = {} |\n| b | o = [] |\n| c | d[k] = v |\n| d | r = o.pop(0) |",
    ),
    // Signs of pseudo-code.
    (Code, "d ← empty\no ← list\nd[k] ← v\nr ← oldest"),
    (Code, "d := empty\no := list\nd[k] := v\nr := oldest"),
    (Code, "d <- empty\no <- list\nd[k] <- v\nr <- oldest"),
    // Other marks.
    (
        Code,
        "<pre>\ntable fresh\nring fresh\ntable at wanted gets node\nring at end gets node\n</pre>",
    ),
    (
        Code,
        "<code>d = {}</code> <code>o = []</code> <code>d[k] = v</code> <code>r = o.pop(0)</code>",
    ),
    (Code, "`d` = {}\n`o` = []\n`d[k]` = `v`\n`r` = `o.pop(0)`"),
    (Code, "`d = {}\n`o = []\n`d[k] = v\n`r = o.pop(0)"),
    // Letters one by one.
    (Code, "s e l f . e n t r i e s . g e t"),
    (Code, "s-e-l-f-e-n-t-r-i-e-s-g-e-t"),
    // The reference in other disguises.
    (Leak, "Take the entry, then from self's entries with get of that key"),
    (Leak, "the entry is self's entries, and then get by the key"),
    (Leak, ")yek(teg.seirtne.fles = yrtne"),
    (Leak, "Backwards: key get entries self entry"),
    (Leak, "ⓔⓝⓣⓡⓨ = ⓢⓔⓛⓕ.ⓔⓝⓣⓡⓘⓔⓢ.ⓖⓔⓣ(ⓚⓔⓨ)"),
    (Leak, "e\u{ad}ntry = s\u{2060}elf.ent\u{200d}ries.g\u{301}et(key)"),
    // Plans with other marks.
    (Plan, "a) Create a map.\nb) Add a ring of nodes.\nc) Move a node on each read."),
    (Plan, "i. Create a map.\nii. Add a ring of nodes.\niii. Move a node on each read."),
    (Plan, "① Create a map. ② Add a ring of nodes. ③ Move a node on each read."),
    (
        Plan,
        "1\u{fe0f}\u{20e3} Create a map.\n2\u{fe0f}\u{20e3} Add a ring.\n3\u{fe0f}\u{20e3} Move a node.",
    ),
    (Plan, "– Create a map.\n– Add a ring of nodes.\n– Move a node on each read."),
    (Plan, "→ Create a map.\n→ Add a ring of nodes.\n→ Move a node on each read."),
    (Plan, "## Create a map\n## Add a ring of nodes\n## Move a node on each read"),
    (
        Plan,
        "Begin by creating a map, subsequently add a ring of nodes, and finally remove the oldest one.",
    ),
];

#[test]
fn what_is_spoken_of_passes() {
    let reference = reference();
    let mut wrong = Vec::new();
    for answer in SPOKEN {
        let reply = check(Some(answer), &reference, 0);
        if !reply.violations.is_empty() || reply.released_tokens > 16 {
            wrong.push(format!("{:?} {}: {answer}", reply.violations, reply.released_tokens));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn keywords_alone_release_nothing() {
    for answer in SPOKEN.iter().take(9) {
        assert_eq!(check(Some(answer), &reference(), 0).released_tokens, 0, "{answer}");
    }
}

#[test]
fn what_is_written_out_is_refused_by_the_rule_that_is_meant() {
    let reference = reference();
    let mut wrong = Vec::new();
    for (rule, answer) in WRITTEN {
        let reply = check(Some(answer), &reference, 0);
        if !reply.violations.contains(&rule) {
            wrong.push(format!("{:?}, not {rule:?}: {answer}", reply.violations));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each of these is let through alone; together they would be the program.
#[test]
fn a_program_told_in_sentences_over_several_answers_ends_refused() {
    let renamed = [
        "At the start you have c.room, c.table, c.ends = n, {}, Link() there.",
        "On a read it is found = c.table.get(wanted, missing) first.",
        "Where something was found it is cut(found) and paste(c.ends, found) at once.",
        "On a write it is found = c.table.pop(wanted, None) first.",
        "When it is full you need gone = c.ends.right, and its name.",
        "Then cut(gone) and c.table.pop(gone.name) give room.",
        "What comes is fresh = Link(wanted, what) as before.",
        "It stays as c.table[wanted] = fresh, c.ends.left = fresh too.",
        "The ring is left.right, right.left = right, left again.",
        "At last the_end.left.right = c.ends.left = fresh, and that is it.",
    ];
    let reference = reference();
    let (mut released, mut refused) = (0, Vec::new());
    for answer in renamed {
        assert_eq!(check(Some(answer), &reference, 0).violations, [], "{answer}");
        let reply = check(Some(answer), &reference, released);
        refused.push(!reply.violations.is_empty());
        released = reply.released_tokens;
    }
    assert!(refused.iter().filter(|refused| **refused).count() >= 2, "{refused:?} {released}");
}

/// Whoever has spent the budget is promised words; a name of the standard library is one.
#[test]
fn a_name_of_the_standard_library_releases_nothing() {
    let reference = reference();
    for answer in [
        "In Python it is `collections.deque`; JavaScript has no built-in one.",
        "Compare floats with a tolerance, as `math.isclose` does.",
        "`Map.get` and `dict.get` look a key up.",
    ] {
        let reply = check(Some(answer), &reference, RELEASED_MAX);
        assert_eq!((reply.text.as_str(), reply.released_tokens), (answer, RELEASED_MAX));
    }
}

/// What has more than a name of a library, or the name of something else, is counted as before.
#[test]
fn what_is_more_than_a_name_of_a_library_is_counted() {
    let reference = reference();
    for answer in [
        "You need `self.items` there.",
        "It reads `node.next` first.",
        "It reads `list.head.next` first.",
        "It is `collections.deque()` here.",
        "It is `dict.get(wanted)` here.",
        "It is `math.inf + 1` here.",
        "It is `list[first]` here.",
        "Then `fresh = collections.deque` is all.",
        "```\ncollections.deque\n```",
    ] {
        let reply = check(Some(answer), &reference, 0);
        assert!(reply.released_tokens >= 2, "{answer}: {}", reply.released_tokens);
        assert_eq!(check(Some(answer), &reference, RELEASED_MAX).text, REFUSAL_BUDGET, "{answer}");
    }
}
