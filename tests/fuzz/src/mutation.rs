//! Small damage to a tree: one place replaced, doubled, dropped, renamed, moved or made very deep.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::tree::{Tree, quoted};

/// Tokens at the edges of what readers expect, and beyond.
const TOKENS: [&str; 34] = [
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-1",
    "1",
    "1.5",
    "1e3",
    "1e400",
    "-1e-400",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "123456789012345678901234567890123456789012345678901234567890",
    "01",
    "+1",
    "NaN",
    "\"\"",
    "\".\"",
    "\"..\"",
    "\"/\"",
    "\"a/b\"",
    "\"a\\u0000b\"",
    "\"\\ud800\"",
    "\"\\ud83d\\ude00\"",
    "\"\\\"",
    "[]",
    "{}",
];

/// One small damage.
#[derive(Clone, Debug)]
pub(crate) struct Mutation {
    /// Where.
    at: Index,
    /// What.
    change: Change,
}

#[derive(Clone, Debug)]
enum Change {
    /// Another token instead.
    Token(String),
    /// An entry less.
    Drop(Index),
    /// An entry twice, with the same name.
    Double(Index),
    /// An entry very often.
    Repeat(Index, usize),
    /// An entry under another name.
    Rename(Index, String),
    /// An entry more.
    Add(String, String),
    /// What stands elsewhere.
    Copy(Index),
    /// The same in a list, or as an entry.
    Wrap(Option<String>),
    /// Lists in lists, or objects in objects; closed or not.
    Deepen { depth: usize, open: &'static str, close: &'static str },
    /// A text of so many of this.
    Lengthen(char, usize),
}

/// Any mutation; `words` are tokens and names that mean something to the reader.
pub(crate) fn mutation(words: &'static [&'static str]) -> BoxedStrategy<Mutation> {
    let index = any::<Index>;
    let change = prop_oneof![
        8 => token(words).prop_map(Change::Token),
        3 => index().prop_map(Change::Drop),
        2 => index().prop_map(Change::Double),
        1 => (index(), 2usize..300).prop_map(|(at, count)| Change::Repeat(at, count)),
        2 => (index(), word(words)).prop_map(|(at, name)| Change::Rename(at, name)),
        2 => (word(words), token(words)).prop_map(|(name, token)| Change::Add(name, token)),
        2 => index().prop_map(Change::Copy),
        1 => proptest::option::of(word(words)).prop_map(Change::Wrap),
        1 => deepen(),
        1 => (any::<char>(), 1usize..5000).prop_map(|(text, count)| Change::Lengthen(text, count)),
    ];
    (index(), change).prop_map(|(at, change)| Mutation { at, change }).boxed()
}

/// A name or a text.
fn word(words: &'static [&'static str]) -> BoxedStrategy<String> {
    let any_text = any::<String>().prop_map(|text| quoted(&text)).boxed();
    if words.is_empty() {
        return any_text;
    }
    let known = select(words).prop_map(quoted);
    prop_oneof![4 => known, 1 => any_text].boxed()
}

fn token(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop_oneof![
        4 => select(&TOKENS).prop_map(str::to_owned),
        3 => word(words),
        1 => any::<u64>().prop_map(|number| number.to_string()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
    ]
}

fn deepen() -> impl Strategy<Value = Change> {
    let depth = prop_oneof![3 => 1usize..200, 1 => Just(100_000usize)];
    let brackets = select(&[("[", "]"), ("[", ""), ("{\"a\":", "}"), ("[[],", "]"), ("{\"", "")]);
    (depth, brackets).prop_map(|(depth, (open, close))| Change::Deepen { depth, open, close })
}

impl Mutation {
    /// Does it.
    pub(crate) fn apply(&self, tree: &mut Tree) {
        let places = tree.places();
        let copied = match &self.change {
            Change::Copy(from) => tree.place(from.index(places)).cloned(),
            _ => None,
        };
        let at = tree.place(self.at.index(places)).expect("an index is below the number of places");
        match &self.change {
            Change::Token(token) => *at = Tree::Token(token.clone()),
            Change::Copy(_) => *at = copied.expect("an index is below the number of places"),
            Change::Wrap(None) => *at = Tree::List(vec![at.clone()]),
            Change::Wrap(Some(name)) => *at = Tree::Object(vec![(name.clone(), at.clone())]),
            Change::Deepen { depth, open, close } => {
                let inner = at.text();
                *at =
                    Tree::Token(format!("{}{inner}{}", open.repeat(*depth), close.repeat(*depth)));
            }
            Change::Lengthen(text, count) => {
                *at = Tree::Token(quoted(&text.to_string().repeat(*count)));
            }
            Change::Drop(entry) => match at {
                Tree::List(items) if !items.is_empty() => {
                    drop(items.remove(entry.index(items.len())));
                }
                Tree::Object(all) if !all.is_empty() => drop(all.remove(entry.index(all.len()))),
                _ => *at = Tree::Token("null".to_owned()),
            },
            Change::Double(entry) => repeat(at, *entry, 1),
            Change::Repeat(entry, count) => repeat(at, *entry, *count),
            Change::Rename(entry, name) => match at {
                Tree::Object(all) if !all.is_empty() => {
                    let index = entry.index(all.len());
                    all[index].0.clone_from(name);
                }
                _ => *at = Tree::Token(name.clone()),
            },
            Change::Add(name, token) => match at {
                Tree::List(items) => items.push(Tree::Token(token.clone())),
                Tree::Object(all) => all.push((name.clone(), Tree::Token(token.clone()))),
                Tree::Token(_) => *at = Tree::Token(token.clone()),
            },
        }
    }
}

/// Most bytes that one change adds.
const REPEATED_MAX: usize = 1 << 20;

/// Puts copies of an entry behind all others, as many as are wanted and reasonable.
fn repeat(tree: &mut Tree, entry: Index, count: usize) {
    let within = |bytes: usize| count.min(REPEATED_MAX / bytes.max(1)).max(1);
    match tree {
        Tree::List(items) if !items.is_empty() => {
            let item = items[entry.index(items.len())].clone();
            let count = within(item.text().len());
            items.extend(std::iter::repeat_n(item, count));
        }
        Tree::Object(all) if !all.is_empty() => {
            let item = all[entry.index(all.len())].clone();
            let count = within(item.1.text().len());
            all.extend(std::iter::repeat_n(item, count));
        }
        Tree::Token(token) => *token = token.repeat(within(token.len()) + 1),
        Tree::List(_) | Tree::Object(_) => {}
    }
}
