//! What a shell offers for the values of arguments.
//!
//! What changes is asked of the daemon if one runs. None is started for it, and a daemon that is slow
//! costs a moment and offers nothing: whoever presses Tab waits.

use std::ffi::OsStr;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _,
};
use vosim_protocol::v1::agent::TaskLanguage;
use vosim_protocol::v1::bundle::Bundle;
use vosim_protocol::v1::interview::SHIPPED_SCHEMAS;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::{
    List, ListParams, Log, LogParams, Method, Nothing, ProblemList, View, ViewParams, ViewResult,
};
use vosim_protocol::{EventId, Head, Kind, Role};

use crate::any_view::AnyView;
use crate::cli::values::ROLES;
use crate::client::{AutoStart, Client};
use crate::places::Places;
use crate::render::text::{clean, cut};

/// How long whoever presses Tab waits for a daemon.
const WITHIN: Duration = Duration::from_millis(1500);
/// Most events that are offered.
const EVENTS_MAX: usize = 40;
/// Most columns of what stands beside a value.
const HELP_COLUMNS: usize = 60;

/// The sessions there are, newest first.
pub(super) fn sessions() -> ArgValueCandidates {
    ArgValueCandidates::new(|| heads().iter().map(session).collect())
}

/// A session or a file.
pub(super) fn sessions_or_files() -> ArgValueCompleter {
    or_paths(PathCompleter::file, || heads().iter().map(session).collect())
}

/// The problems there are.
pub(super) fn problems() -> ArgValueCandidates {
    ArgValueCandidates::new(listed_problems)
}

/// A problem, or the folder of a package.
pub(super) fn problems_or_folders() -> ArgValueCompleter {
    or_paths(PathCompleter::dir, listed_problems)
}

/// The states that sessions are in.
pub(super) fn states() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let mut states = vec!["open".to_owned(), "ended".to_owned()];
        for head in heads().into_iter().filter(|head| !head.ended) {
            if !states.contains(&head.phase) {
                states.push(head.phase);
            }
        }
        states.into_iter().map(CompletionCandidate::new).collect()
    })
}

/// The last events of the session that is meant.
pub(super) fn events() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let Some(seen) = view() else { return Vec::new() };
        let after = EventId(seen.cursor.0.saturating_sub(EVENTS_MAX as u64));
        let session = Some(seen.session_id.to_string());
        let log = asked::<Log>(LogParams { session, after, role: Role::Candidate });
        let records = log.map(|log| log.records).unwrap_or_default();
        let event = |record: &vosim_protocol::v1::telling::ToldRecord| {
            offered(record.event_id.to_string(), &record.event_type)
        };
        records.iter().map(event).collect()
    })
}

/// The judged submissions of the session that is meant.
pub(super) fn submissions() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let view = view().and_then(|view| AnyView::read(&view).ok());
        let history = view.as_ref().map(AnyView::history).unwrap_or_default();
        let submission = |line: &vosim_protocol::v1::judging::ResultLine| {
            let of = line.tests_passed + line.tests_failed;
            offered(
                line.attempt_number.to_string(),
                &format!("{} of {of} passed", line.tests_passed),
            )
        };
        history.iter().map(submission).collect()
    })
}

/// The languages there are.
pub(super) fn languages() -> ArgValueCandidates {
    ArgValueCandidates::new(|| names(Language::ALL.iter().map(|language| language.name())))
}

/// The schemas that come along, or a file.
pub(super) fn schemas() -> ArgValueCompleter {
    or_paths(PathCompleter::file, || names(SHIPPED_SCHEMAS.into_iter()))
}

/// What tasks are written in.
pub(super) fn task_languages() -> ArgValueCandidates {
    ArgValueCandidates::new(|| names(TaskLanguage::ALL.into_iter().map(TaskLanguage::name)))
}

/// The roles there are.
pub(super) fn roles() -> ArgValueCandidates {
    ArgValueCandidates::new(|| names(ROLES.iter().map(|role| role.name())))
}

/// The kinds there are.
pub(super) fn kinds() -> ArgValueCandidates {
    ArgValueCandidates::new(|| names(Kind::ALL.iter().map(|kind| kind.name())))
}

/// The bundles there are.
pub(super) fn bundles() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        names([Bundle::Evaluation, Bundle::Replay].map(Bundle::name).into_iter())
    })
}

fn names<'n>(names: impl Iterator<Item = &'n str>) -> Vec<CompletionCandidate> {
    names.map(CompletionCandidate::new).collect()
}

/// What is listed, and paths where one has been begun.
fn or_paths(
    paths: fn() -> PathCompleter,
    listed: impl Fn() -> Vec<CompletionCandidate> + Send + Sync + 'static,
) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let typed = current.to_string_lossy();
        if typed.contains('/') || typed.starts_with('.') {
            return paths().complete(current);
        }
        let begins = |candidate: &CompletionCandidate| {
            candidate.get_value().to_string_lossy().starts_with(&*typed)
        };
        let mut all: Vec<_> = listed().into_iter().filter(begins).collect();
        if !typed.is_empty() {
            all.extend(paths().complete(current));
        }
        all
    })
}

fn session(head: &Head) -> CompletionCandidate {
    let phase = if head.ended { "ended".to_owned() } else { head.phase.replace('_', " ") };
    offered(head.session_id.short(), &format!("{}: {}, {phase}", head.kind, head.title))
}

fn listed_problems() -> Vec<CompletionCandidate> {
    let listed = asked::<ProblemList>(Nothing {});
    let problems = listed.map(|listed| listed.problems).unwrap_or_default();
    problems.iter().map(|line| offered(line.id.to_string(), &line.title)).collect()
}

/// A value with a few words beside it, which a shell prints as they are.
fn offered(value: impl Into<String>, help: &str) -> CompletionCandidate {
    let help = cut(&clean(help), HELP_COLUMNS, "...");
    CompletionCandidate::new(value.into()).help(Some(help.into()))
}

fn heads() -> Vec<Head> {
    asked::<List>(ListParams::default()).map(|list| list.sessions).unwrap_or_default()
}

/// What is to be seen of the session that the line names, else of the current one.
fn view() -> Option<ViewResult> {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    asked::<View>(ViewParams { session: named_session(words), role: Role::Candidate })
}

/// The session that a line names by `--session`, which a shell may take apart at its `=`.
fn named_session(mut words: impl Iterator<Item = String>) -> Option<String> {
    loop {
        let word = words.next()?;
        if let Some(id) = word.strip_prefix("--session=").filter(|id| !id.is_empty()) {
            return Some(id.to_owned());
        }
        if word == "--session" {
            return words.find(|word| word != "=");
        }
    }
}

/// Asks a daemon that runs, and waits no longer than somebody who presses Tab would.
fn asked<M>(params: M::Params) -> Option<M::Result>
where
    M: Method,
    M::Params: Send + 'static,
    M::Result: Send + 'static,
{
    let (out, answer) = channel();
    let ask = move || {
        let answered = Places::from_env().ok().and_then(|places| {
            let mut client = Client::new(places, AutoStart::No);
            client.connect().ok()?;
            client.once::<M>(&params, WITHIN, |_| {}).ok()
        });
        out.send(answered).ok();
    };
    // Even a socket that takes no connection holds up nobody.
    thread::Builder::new().name("asks".to_owned()).spawn(ask).ok()?;
    answer.recv_timeout(WITHIN).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_session_of_a_line_is_found_however_the_shell_takes_it_apart() {
        let named = |line: &str| named_session(line.split(' ').map(str::to_owned));
        assert_eq!(named("vosimctl -- vosimctl code"), None);
        for line in ["--session 1f code", "code --session=1f", "code --session = 1f"] {
            assert_eq!(named(&format!("vosimctl -- vosimctl {line}")).as_deref(), Some("1f"));
        }
    }
}
