//! `task diff`: what the agent has changed, file by file, from before its first edit to after its last.

use std::collections::BTreeMap;

use serde::Serialize;
use similar::TextDiff;
use vosim_protocol::v1::effect::Acted;
use vosim_protocol::v1::task::{Ended, State, TaskRewound, TestEdit, View};
use vosim_protocol::{EventRecord, Hash, Role, Wire as _};

use super::named::task;
use crate::call::blob_text;
use crate::client::Client;
use crate::commands::Context;
use crate::commands::diff::difference;
use crate::errors::{Exit, Failure};
use crate::log;
use crate::output::Output;
use crate::render::look::Tone;
use crate::render::page::Page;

/// What became of one file.
#[derive(Debug, Serialize)]
struct Changed {
    path: String,
    diff: String,
}

/// What a file held before the agent came and holds after its last edit.
type Ends = (Option<Hash>, Option<Hash>);

pub(super) fn run(context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let view = task(&mut client, context.session.clone())?;
    let session = view.session_id.to_string();
    let (_, records) = log::whole(&mut client, Some(session.clone()), Role::Candidate)?;
    let mut changed = Vec::new();
    for (path, ends) in ends(records.iter().map(|record| &record.record)) {
        changed.push(between(&mut client, &session, path, ends)?);
    }
    changed.iter().try_for_each(|one| context.output.json(one))?;
    context.output.screen(|look| {
        let mut page = Page::new(look);
        if changed.iter().all(|one| one.diff.is_empty()) {
            page.say(Tone::Plain, "The agent has changed nothing.");
        }
        changed.iter().for_each(|one| difference(&mut page, &one.diff));
        page.finish()
    })?;
    Ok(Exit::Done)
}

/// What was changed of tests that had failed: shown beside a success, which rests on them.
pub(super) fn changed_tests(
    client: &mut Client,
    view: &View,
    output: Output,
) -> Result<(), Failure> {
    if view.state != State::Success || output.is_json() {
        return Ok(());
    }
    let session = view.session_id.to_string();
    for TestEdit { path, before, after } in &view.test_edits {
        let changed = between(client, &session, path.clone(), (Some(*before), *after))?;
        output.screen(|look| {
            let mut page = Page::new(look);
            page.blank().say(Tone::Warn, &format!("What was changed of {path}, which had failed:"));
            difference(&mut page, &changed.diff);
            page.finish()
        })?;
    }
    Ok(())
}

fn between(
    client: &mut Client,
    session: &str,
    path: String,
    (before, after): Ends,
) -> Result<Changed, Failure> {
    let mut text = |hash: Option<Hash>| match hash {
        Some(hash) => blob_text(client, session, hash),
        None => Ok(String::new()),
    };
    let (before, after) = (text(before)?, text(after)?);
    let (a, b) = (format!("a/{path}"), format!("b/{path}"));
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    let diff = diff.unified_diff().context_radius(3).header(&a, &b).to_string();
    Ok(Changed { path, diff })
}

/// Both ends of each file that differs, from the log alone; what was put back is as it was.
fn ends<'r>(records: impl Iterator<Item = &'r EventRecord>) -> BTreeMap<String, Ends> {
    let mut files = BTreeMap::<String, Vec<Ends>>::new();
    let mut edits = Vec::new();
    for record in records {
        match record.event_type.as_str() {
            "TOOL_ENDED" => {
                let ended = Ended::<Acted>::from_json(record.payload.clone()).ok();
                let written = ended.and_then(|ended| ended.outcome).and_then(|acted| acted.written);
                edits.extend(written.map(|written| (record.event_id, written)));
            }
            "TASK_REWOUND" => {
                let Ok(rewound) = TaskRewound::from_json(record.payload.clone()) else { continue };
                let Some(restored) = rewound.ended.outcome else { continue };
                edits.retain(|(event, written)| {
                    *event <= rewound.to || !restored.restored.contains(&written.path)
                });
            }
            _ => {}
        }
    }
    for (_, written) in edits {
        files.entry(written.path).or_default().push((written.before, written.after));
    }
    let both = files.into_iter().filter_map(|(path, ends)| {
        let ends = (ends.first()?.0, ends.last()?.1);
        (ends.0 != ends.1).then_some((path, ends))
    });
    both.collect()
}
