//! Inside a crate a type's name names one type.
//!
//! What counts is what more than its own file can see. Of the words that say little alone, those
//! that only their file can see count too. Each kind has the types that its contract asks for, a
//! draft of its events and the stage it has come to, and they are called alike.

use std::collections::{BTreeMap, BTreeSet};

use super::crates;
use super::modules::Crate;
use super::source::Token;

/// What each kind has one of.
const OF_EACH_KIND: [&str; 10] =
    ["Command", "Draft", "Event", "Intent", "Phase", "Spec", "Stage", "Start", "State", "View"];

const SAYS_LITTLE: [&str; 5] = ["Attempt", "Outcome", "Shared", "Task", "Told"];

#[test]
fn a_name_names_one_type_of_a_crate() {
    let found: Vec<_> = crates().iter().flat_map(clashes).collect();
    assert!(found.is_empty(), "names of more than one type: {found:#?}");
}

fn clashes(of: &Crate) -> Vec<String> {
    let mut places = BTreeMap::<&str, BTreeSet<&str>>::new();
    for (index, module) in of.modules.iter().enumerate() {
        for name in types(&module.tokens) {
            places.entry(name).or_default().insert(of.module_name(index));
        }
    }
    places.retain(|name, modules| modules.len() > 1 && !OF_EACH_KIND.contains(name));
    let told = |(name, modules): (&str, BTreeSet<&str>)| {
        let modules: Vec<_> = modules.into_iter().collect();
        format!("{}: {name} in {}", of.name, modules.join(", "))
    };
    places.into_iter().map(told).collect()
}

/// The types that are declared here and count.
fn types(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens.windows(3).filter_map(|three| {
        let (keyword, name) = (three[1].text.as_str(), three[2].text.as_str());
        let visible = three[0].is("pub") || three[0].is(")");
        let counts = match keyword {
            "struct" | "enum" | "union" | "trait" => visible || SAYS_LITTLE.contains(&name),
            // Otherwise it belongs to a trait.
            "type" => visible,
            _ => false,
        };
        (counts && three[2].is_word()).then_some(name)
    })
}
