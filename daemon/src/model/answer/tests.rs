//! What the assistant knows, that it finds it, and that it gives nothing away.

mod code;
mod messages;
mod questions;
mod refusals;
mod tried;

use std::collections::BTreeSet;
use std::path::Path;

use vosim_engine::parts::assistant::{Reference, check};

use super::entries::{self, Entry, FILES};
use super::*;
use crate::content::{References, catalog};

/// Longest answer of an entry, characters.
const ANSWER_CHARS_MAX: usize = 900;
/// From this length on words in a row are no accident.
const SECRET_RUN: usize = 8;

/// The id of the entry whose answer this is.
fn id_of(answer: Option<&str>) -> &'static str {
    let Some(answer) = answer else { return "nothing" };
    let entry = entries::all().iter().find(|entry| answer.ends_with(&entry.answer));
    entry.map_or("no entry", |entry| entry.id.as_str())
}

fn kind_of(entry: &Entry) -> AskKind {
    if entry.kind.is_some() { AskKind::Error } else { AskKind::Concept }
}

/// What the right programs of all packages know to the engine's check.
fn reference() -> Reference {
    let packages: Vec<_> = catalog().list().collect();
    let sources: Vec<_> = packages
        .iter()
        .flat_map(|package| &package.programs)
        .filter(|program| program.path.starts_with("submissions/accepted/"))
        .map(|program| String::from_utf8_lossy(&program.source))
        .collect();
    let public = packages.iter().map(|package| package.problem.statement.as_str());
    Reference::new(sources.iter().map(AsRef::as_ref), public)
}

#[test]
fn the_binary_holds_every_file_of_the_folder() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("content/assistant");
    let on_disk: BTreeSet<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let in_binary: BTreeSet<_> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(in_binary, on_disk);
}

#[test]
fn there_are_many_entries_and_each_has_its_own_id_and_question() {
    let all = entries::all();
    assert!(all.len() >= 120, "{}", all.len());
    let ids: BTreeSet<_> = all.iter().map(|entry| &entry.id).collect();
    let questions: BTreeSet<_> = all.iter().map(|entry| &entry.question).collect();
    assert_eq!((ids.len(), questions.len()), (all.len(), all.len()));
}

#[test]
fn every_entry_is_reached_by_its_own_question() {
    let mut wrong = Vec::new();
    for entry in entries::all() {
        let told = answer(kind_of(entry), &entry.question, None, entry.language);
        if told.as_deref() != Some(entry.answer.as_str()) {
            wrong.push(format!(
                "{}: {} leads to {}",
                entry.id,
                entry.question,
                id_of(told.as_deref())
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_answer_keeps_the_rules_of_an_answer() {
    let reference = reference();
    let mut wrong = Vec::new();
    let answers = entries::all().iter().map(|entry| (entry.id.as_str(), entry.answer.as_str()));
    for (id, text) in answers.chain([("refusal", REFUSAL)]) {
        let reply = check(Some(text), &reference, 0);
        if !reply.violations.is_empty() || reply.text != text {
            wrong.push(format!("{id}: {:?}", reply.violations));
        }
        // Whoever has spent the budget of code is still told what there is to say in words.
        if reply.released_tokens > 0 {
            wrong.push(format!("{id}: releases {} tokens", reply.released_tokens));
        }
        if text.chars().count() > ANSWER_CHARS_MAX || text.trim() != text || text.contains('\n') {
            wrong.push(format!("{id}: is too long, or not one paragraph"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_answer_shares_a_run_of_words_with_a_right_program() {
    let references = References::of(catalog().list().map(|package| &**package));
    for entry in entries::all() {
        assert_eq!(references.shared_with(&entry.answer), None, "{}", entry.id);
    }
}

/// What belongs to no problem speaks of none. That the assistant is not told of one either, is
/// shown on a whole interview (`tests/it/blind.rs`).
#[test]
fn no_entry_holds_what_only_a_problem_knows() {
    let mut secrets = BTreeSet::new();
    for package in catalog().list() {
        let suite = serde_json::to_string(&package.suite()).unwrap();
        let hints = package.problem.issues.iter().flat_map(|issue| &issue.hints);
        let texts = hints.cloned().chain([suite]);
        for text in texts {
            let words = vosim_engine::parts::text::words(&text);
            secrets.extend(words.windows(SECRET_RUN).map(|run| run.join(" ")));
        }
    }
    assert!(secrets.len() > 1_000, "{}", secrets.len());
    for entry in entries::all() {
        for kind in [AskKind::Concept, AskKind::Error, AskKind::Code] {
            let told = answer(kind, &entry.question, None, entry.language).unwrap_or_default();
            let words = vosim_engine::parts::text::words(&told);
            for run in words.windows(SECRET_RUN) {
                assert!(!secrets.contains(&run.join(" ")), "{}: {run:?}", entry.id);
            }
        }
    }
}

#[test]
fn a_question_of_any_size_and_kind_is_taken() {
    let long = "what is a list ".repeat(100_000);
    let odd =
        ["", " \n\t", "\u{1b}[2J", "?", "日本語".repeat(4_000).as_str(), "\0"].map(str::to_owned);
    for question in odd.iter().chain([&long]) {
        for kind in [AskKind::Concept, AskKind::Error, AskKind::Code] {
            let code: Vec<_> = [0xff, b'{', b'"', b'\n'].repeat(100_000);
            let told = answer(kind, question, Some(&code), None);
            assert_eq!(told, answer(kind, question, Some(&code), None));
        }
    }
}
