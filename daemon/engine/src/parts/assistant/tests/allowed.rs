//! Definitions, documentation, errors, costs, nudges: what the assistant is for.

use super::*;

const ALLOWED: [&str; 44] = [
    "A hash map stores pairs of key and value and finds a value by its key in O(1) on average.",
    "A doubly linked list is a chain of nodes in which each node knows the one before and the one after it.",
    "`d.pop(key, None)` removes a key and returns its value, or `None` if the key is not there.",
    "In Python, `dict.get(k)` returns `None` for a missing key instead of raising a `KeyError`.",
    "`OrderedDict.move_to_end` moves an existing key to either end; see the documentation of `collections`.",
    "`x = d.setdefault(k, [])` looks a key up and stores a default when it is missing.",
    "`for i, item in enumerate(items):` counts while it iterates.",
    "`a, b = b, a` swaps two names in Python.",
    "A `KeyError` means that you asked a dictionary for a key that it does not have. The message names the key.",
    "`AttributeError: 'NoneType' object has no attribute 'next'` means that a name you took for a node is `None` at that moment. Look at the line in the message: which name on it can be `None`?",
    "`TypeError: get() takes 1 positional argument but 2 were given`: a method needs `self` as its first parameter.",
    "`IndentationError` is raised while the file is read, before anything runs. The line in the message is where reading stopped.",
    "`ReferenceError: x is not defined` says that no `x` exists where the line stands. Is it declared in an outer block?",
    "`RecursionError` says that a function called itself too often; usually the case that should stop it is missing.",
    "Amortised O(1) means that a single call may be slow, but a long row of calls costs a constant time each on average.",
    "Sorting costs O(n log n), because each of the log n levels of merging touches all n numbers.",
    "Scanning a list for the oldest key is O(n) per call. With 10,000 calls and a capacity of 1,000 that is about ten million steps.",
    "Worst case and average differ for a hash table: when all keys collide, a lookup is O(n).",
    "Space: one node per key, so O(capacity).",
    "A queue hands things out in the order in which they came; a stack hands out the last one first.",
    "Deque stands for double-ended queue. Both ends are cheap, the middle is not.",
    "An invariant is something that is true before and after every call. Which sentence about your two structures could be one?",
    "What changes in your order when a key is read that is already there?",
    "Your idea works on paper. What does it cost to find the place of a key in that list?",
    "Think of what both methods have in common; that may deserve a name of its own.",
    "First the interpreter reads the whole file, then it runs the top level, and finally it calls your class.",
    "A sentinel is a node that holds nothing. It spares the special cases at both ends, because every real node has two neighbours.",
    "JavaScript's `Map` remembers the order of insertion; a plain object does so only for some keys.",
    "`===` compares without converting, `==` converts first.",
    "`Map.prototype.keys` returns an iterator; `next` gives an object with `value` and `done`.",
    "`heapq` keeps the smallest item at index 0:\n\n    import heapq\n    heapq.heappush(heap, item)\n\nBoth push and pop cost O(log n).",
    "A list comprehension:\n```python\nsquares = [x * x for x in numbers]\n```\nIt builds a new list.",
    "`lambda x: x + 1` is a function without a name.",
    "- a *list* keeps order, and finds by position\n- a *dictionary* finds by key\n- a *set* knows only whether something is in it",
    "1. `append` costs O(1)\n2. `insert(0, x)` costs O(n)\n3. `pop()` costs O(1)",
    "Mutable default arguments are created once, when the function is defined. That is why two caches can share one list by accident.",
    "A class attribute belongs to all instances; an attribute set in `__init__` belongs to one.",
    "See https://docs.python.org/3/library/collections.html#collections.OrderedDict.move_to_end for the two ends it can move to.",
    "Binary search needs sorted input and halves the range in each step, which gives O(log n).",
    "Two pointers that walk towards each other look at each element once.",
    "In your code line 12 reads `node.next` after the node was taken out. What does it hold by then?",
    "You compare with `is`; for numbers that tests identity, not equality. Use `==`.",
    "Ein Wörterbuch findet einen Schlüssel im Mittel in konstanter Zeit; Löschen ebenso.",
    "哈希表平均在常数时间内找到一个键，链表保持使用顺序。哈希表平均在常数时间内找到一个键，链表保持使用顺序。哈希表平均在常数时间内找到一个键，链表保持使用顺序。哈希表平均在常数时间内找到一个键，链表保持使用顺序。",
];

#[test]
fn allowed_answers_pass() {
    let reference = reference();
    let mut wrong = Vec::new();
    for answer in ALLOWED {
        let reply = check(Some(answer), &reference, 0);
        if !reply.violations.is_empty() || reply.text != answer || reply.released_tokens > 24 {
            wrong.push(format!("{:?} {}: {answer}", reply.violations, reply.released_tokens));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn half_an_interview_of_questions_stays_within_the_budget() {
    let reference = reference();
    let released = ALLOWED.iter().take(22).fold(0, |released, answer| {
        let reply = check(Some(answer), &reference, released);
        assert!(reply.violations.is_empty(), "{answer}: {:?} after {released}", reply.violations);
        reply.released_tokens
    });
    assert!(released > 0);
}
