//! Questions as people put them, and the entry that each must reach.

use super::*;

use Language::{Javascript, Python};

const REACHED: [(&str, Option<Language>, &str); 107] = [
    ("what is a doubly linked list", None, "doubly_linked_list"),
    ("What's a double linked list?", Some(Python), "doubly_linked_list"),
    ("what is amortised", None, "amortised"),
    ("explain amortized complexity please", None, "amortised"),
    ("why KeyError", Some(Python), "py_key_error"),
    ("why KeyError", None, "py_key_error"),
    ("what does KeyError mean?", None, "py_key_error"),
    ("what is a linked list?", None, "linked_list"),
    ("difference between linked list and array", None, "linked_or_array"),
    ("what is a hash map", None, "hash_map"),
    ("what is a dictionary", Some(Python), "hash_map"),
    ("what is a hash table", Some(Javascript), "hash_map"),
    ("how does a Map work", Some(Javascript), "js_map"),
    ("does a dict keep insertion order?", Some(Python), "py_dict_order"),
    ("is a Map ordered?", Some(Javascript), "js_map_order"),
    ("Map vs object?", Some(Javascript), "js_map_object"),
    ("what is a heap", None, "heap"),
    ("what is heapq", Some(Python), "py_heapq"),
    ("what is a stack", None, "stack"),
    ("stack vs queue", None, "stack_or_queue"),
    ("what is a queue", None, "queue"),
    ("what is a deque?", None, "deque"),
    ("what does collections.deque do?", Some(Python), "py_deque"),
    ("what is a set", None, "set"),
    ("list vs set for lookups", Some(Python), "list_or_set"),
    ("what is a tree", None, "tree"),
    ("what is a binary search tree", None, "binary_search_tree"),
    ("what is a graph", None, "graph"),
    ("what is an ordered dict?", None, "ordered_dict"),
    ("what is OrderedDict", Some(Python), "py_ordereddict"),
    ("what does LRU stand for", None, "lru"),
    ("what is a sentinel", None, "sentinel"),
    ("what is big O?", None, "big_o"),
    ("what does O(1) mean", None, "constant_time"),
    ("what is O(n)", None, "linear_time"),
    ("what is O(n^2)?", None, "quadratic_time"),
    ("what is O(log n)?", None, "logarithmic_time"),
    ("what does O(n log n) mean", None, "n_log_n"),
    ("worst case vs average case", None, "worst_average_case"),
    ("what is space complexity?", None, "space_complexity"),
    ("what is the difference between is and ==", Some(Python), "py_is_equals"),
    ("what is ===", Some(Javascript), "js_strict_equality"),
    ("what's the difference between == and ===?", None, "js_strict_equality"),
    ("are strings mutable?", Some(Python), "py_mutable"),
    ("default arguments in python", None, "py_default_argument"),
    ("how do slices work", Some(Python), "py_slice"),
    ("what does pop(0) cost", Some(Python), "py_list_pop_front"),
    ("what does list.remove cost?", Some(Python), "py_list_costs"),
    ("what's a generator", Some(Python), "py_generator"),
    ("what is self", Some(Python), "py_self"),
    ("what is __init__ for", Some(Python), "py_init"),
    ("what is None", Some(Python), "py_none"),
    ("how does integer division work", Some(Python), "py_integer_division"),
    ("what does // do", Some(Python), "py_integer_division"),
    ("can I use a negative index", Some(Python), "py_negative_index"),
    ("is sort stable", Some(Python), "py_sort"),
    ("what is an f-string", Some(Python), "py_fstring"),
    ("how does assert work", Some(Python), "py_assert"),
    ("what is the recursion limit", Some(Python), "py_recursion_limit"),
    ("what is a shallow copy", Some(Python), "py_copy"),
    ("is it pass by reference?", Some(Python), "py_reference"),
    ("how do I write to a file", Some(Python), "py_file"),
    ("undefined vs null", Some(Javascript), "js_undefined_null"),
    ("what is this in javascript", None, "js_this"),
    ("what are class fields", Some(Javascript), "js_class_fields"),
    ("what does splice cost on an array", Some(Javascript), "js_array_costs"),
    ("what is a closure", Some(Javascript), "js_closure"),
    ("let vs const", Some(Javascript), "js_let_const"),
    ("what is NaN", Some(Javascript), "js_nan"),
    ("what is NaN", Some(Python), "js_nan"),
    ("how precise are numbers", Some(Javascript), "js_number_precision"),
    ("why does sort put 10 before 9", Some(Javascript), "js_sort_default"),
    ("what does module.exports do", Some(Javascript), "js_module_exports"),
    ("what is JSON", Some(Javascript), "js_json"),
    ("what does ?? do", Some(Javascript), "js_optional_chaining"),
    ("what is an edge case", None, "edge_case"),
    ("what is a boundary", None, "boundary"),
    ("what is an invariant", None, "invariant"),
    ("what is a regression test", None, "regression"),
    ("how do I write my own test?", None, "own_test"),
    ("I'm stuck", None, "rubber_duck"),
    ("which data structure should I use?", None, "nudge_choose_structure"),
    ("how do I write a class in Python", None, "class_concept"),
    ("what is a race condition", None, "thread_safety"),
    ("ReferenceError: node is not defined", Some(Python), "js_reference_error"),
    ("how do i sort a dictionary by value", Some(Python), "py_dict_sort"),
    ("How are hash table collisions resolved?", Some(Python), "hash_collision"),
    ("How does a hash table handle collisions?", Some(Javascript), "hash_collision"),
    ("What is a heap and when is it better than a sorted list?", Some(Python), "heap_or_sorted"),
    ("How do I get the first key of a dict?", Some(Python), "py_dict_first"),
    ("How do I copy a list?", Some(Python), "py_list_copy"),
    ("What does a dict lookup cost?", Some(Python), "hash_map_cost"),
    ("What does a Map lookup cost?", Some(Javascript), "hash_map_cost"),
    ("list versus dict", Some(Python), "list_or_map"),
    ("What is the difference between a list and a dict?", Some(Python), "list_or_map"),
    ("How do I insert at the front of a linked list?", Some(Python), "linked_list_ends"),
    ("sort versus sorted", Some(Python), "py_sort_or_sorted"),
    ("Why does get return -1 for a value of 0?", Some(Javascript), "js_truthy"),
    ("How does `this` work in a method?", Some(Javascript), "js_this"),
    ("What is a memory leak?", None, "memory_leak"),
    ("x is not defined", Some(Javascript), "js_not_defined"),
    ("name 'x' is not defined", Some(Python), "py_not_defined"),
    ("What does `del d[k]` do when the key is missing?", Some(Python), "py_del"),
    ("Does map.set move an existing key to the end?", Some(Javascript), "js_map_order"),
    ("Does a new value move a key of a dict to the end?", Some(Python), "py_dict_order"),
    ("How do I compare floats?", Some(Python), "py_float"),
    ("What does `if not x` mean?", Some(Python), "py_truthiness"),
];

const UNKNOWN: [&str; 16] = [
    "",
    "hello",
    "what is the weather like in Paris today",
    "who won the football game yesterday",
    "what is the capital of France",
    "what is a monad",
    "explain kubernetes",
    "how old is the interviewer",
    "what is my score so far",
    "how many points do I have",
    "qwertz uiop",
    "what does the interviewer think of my design and my salary",
    "can I have a break",
    "what is love",
    "did the third person before me find a list of good restaurants nearby",
    "???",
];

#[test]
fn questions_reach_their_entries() {
    let mut wrong = Vec::new();
    for (question, language, id) in REACHED {
        let told = answer(AskKind::Concept, question, None, language);
        let reached = id_of(told.as_deref());
        if reached != id {
            wrong.push(format!("{question} {language:?}: {reached} instead of {id}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_not_known_is_not_answered() {
    for question in UNKNOWN {
        for kind in [AskKind::Concept, AskKind::Error, AskKind::Code] {
            let told = answer(kind, question, None, Some(Python));
            assert_eq!(id_of(told.as_deref()), "nothing", "{question} {told:?}");
        }
    }
}
