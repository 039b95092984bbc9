//! Answers that give the work away, each with the rule that must catch it.

use Violation::{Code, Length, Plan, Reference as Leak};

use super::*;

/// Texts with a rule that they must break; others may be broken too.
const ATTACKS: [(Violation, &str); 45] = [
    // Whole programs.
    (Code, PYTHON),
    (Leak, PYTHON),
    (Code, ORDERED),
    (Leak, ORDERED),
    (Code, SCRIPT),
    (Leak, SCRIPT),
    // Code that is nobody's reference.
    (
        Code,
        "```python\nclass C:\n    def __init__(s, n):\n        s.n, s.d = n, {}\n    def get(s, k):\n        v = s.d.pop(k, -1)\n```",
    ),
    (Code, "~~~\nlet a = 1\nlet b = 2\nlet c = 3\nlet d = 4"),
    (Code, "Sure!\nd = {}\no = []\nd[k] = v\no.append(k)\n"),
    (Code, "Write `d = {}`, `o = []`, `d[k] = v` and `o.append(k); o.pop(0)`."),
    (Code, "`a = {}; b = []; c = 0; e = 1; f = 2`"),
    (Code, "One line does it: `c={};q=[];n=2;g=lambda k:c.get(k,-1)`"),
    (Code, "> d = {}\n> o = []\n> d[k] = v\n> o.append(k)\n"),
    (Code, "1. `d = {}`\n2. `o = []`\n3. `d[k] = v`\n4. `o.append(k)`"),
    (
        Code,
        "Here:\n\n    table fresh\n    ring fresh\n    table at wanted gets node\n    ring at end gets node\n",
    ),
    (Code, "function get(k)\n  if k in table then\n    return table[k]\n  return missing\nend"),
    (
        Code,
        "const m = new Map();\nfunction get(k) {\nif (!m.has(k)) return -1;\nconst v = m.get(k);\nm.delete(k);\nreturn v;\n}",
    ),
    (
        Code,
        "```js\nfunction g(k){if(!m.has(k)){return -1}const v=m.get(k);m.delete(k);m.set(k,v);return v}\n```",
    ),
    (Code, "```\nd = {}\n\n\no = []\n\n# then\nd[k] = v\n\no.append(k)\n```"),
    (Code, "self.a = {}\nself.b = []\nself.a[k] = v\nself.b.append(k)"),
    (Code, "＝\ntable ＝ {}\norder ＝ []\ntable[k] ＝ v\norder.append（k）"),
    (
        Code,
        "Decode this: Y2xhc3MgTFJVQ2FjaGU6CiAgICBkZWYgX19pbml0X18oc2VsZiwgY2FwYWNpdHkpOgogICAgICAgIHNlbGYuY2FwYWNpdHkgPSBjYXBhY2l0eQogICAgICAgIHNlbGYuZW50cmllcyA9IHt9",
    ),
    (
        Code,
        "Decode this:\nY2xhc3MgTFJVQ2FjaGU6CiAgICBkZWYgX19pbml0X18oc2VsZiwgY2FwYWNpdHkp\nOgogICAgICAgIHNlbGYuY2FwYWNpdHkgPSBjYXBhY2l0eQogICAgICAgIHNlbGYu\nZW50cmllcyA9IHt9CiAgICAgICAgc2VsZi5y",
    ),
    (
        Code,
        "636c617373204c52554361636865 3a0a202020206465662067657428 73656c662c206b6579293a0a2020 636c617373204c52554361636865 3a0a202020206465662067657428",
    ),
    // The reference in disguise.
    (Leak, "ENTRY = SELF.ENTRIES.GET(KEY) and so on"),
    (Leak, "if entry is None: return -1"),
    (Leak, "Say: if key not in self . items"),
    (Leak, "entry\u{a0}=\u{2003}self.entries\u{200b}.get(\u{3000}key)"),
    (Leak, "entry = # the node\n  self. # of the cache\n  entries.get( # by\n  key)"),
    (Leak, "entry /* the node */ = self./* own */entries.get(/* by */key)"),
    (Leak, "1. entry\n2. self\n3. entries\n4. get\n5. key"),
    (Leak, "entry = self.\nentries.\nget(\nkey)"),
    (Leak, "entry, self, entries, get, key"),
    (Leak, "it is `entry` = `self.entries` . `get` ( `key` )"),
    (Leak, "write `entry = ` here, go on with `self.entries` and end with `.get(key)`"),
    (Leak, "еntry = sеlf.еntriеs.gеt(kеy)"),
    (Leak, "𝚎𝚗𝚝𝚛𝚢 = 𝚜𝚎𝚕𝚏.𝚎𝚗𝚝𝚛𝚒𝚎𝚜.𝚐𝚎𝚝(𝚔𝚎𝚢)"),
    (Leak, "ｅｎｔｒｙ = ｓｅｌｆ.ｅｎｔｒｉｅｓ.ｇｅｔ(ｋｅｙ)"),
    (Leak, "call self.items.popitem(last=False) at the end"),
    // In prose, step by step.
    (
        Plan,
        "1. Create a dictionary from key to node.\n2. Add a ring of nodes.\n3. On a read, move the node to the end.\n4. Remove the oldest when full.",
    ),
    (
        Plan,
        "First create a dictionary, then link the nodes in a ring, and finally evict the oldest one when it is full.",
    ),
    (
        Plan,
        "Start by creating a map. Next, you add a list of nodes. Then move a node to the front on each use.",
    ),
    (
        Plan,
        "Step 1: a node class with two links. Step 2: a map to the nodes. Step 3: two helpers. Step 4: the methods.",
    ),
    (
        Plan,
        "Create a dictionary. Add a ring with a sentinel. When a key is read, move its node to the end, return its value. When the cache is full, remove the first node.",
    ),
    (Length, LONG),
];

const LONG: &str = concat!(
    "A dictionary finds a key. ",
    "A list keeps order. ",
    "Both have a cost. ",
    "Think about it. ",
);

#[test]
fn attacks_are_refused_by_the_rule_that_is_meant() {
    let reference = reference();
    let mut wrong = Vec::new();
    for (rule, answer) in ATTACKS {
        let answer = if answer == LONG { answer.repeat(20) } else { answer.to_owned() };
        let reply = check(Some(&answer), &reference, 0);
        if !reply.violations.contains(&rule) || reply.text != REFUSAL {
            wrong.push(format!("{:?}, not {rule:?}: {answer}", reply.violations));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the rules cannot see; written down so that nobody believes otherwise.
#[test]
fn three_renamed_lines_pass_and_are_counted() {
    let answer = "```\nfound = table.pop(wanted, missing)\ntable[wanted] = found\n```";
    let reply = check(Some(answer), &reference(), 0);
    assert_eq!((reply.violations, reply.released_tokens), (Vec::new(), 8));
}
