//! `task diff`: what the agent has changed, file by file, from before its first edit to after its last.

use std::collections::BTreeMap;

use serde::Serialize;
use similar::TextDiff;
use vosim_protocol::v1::effect::Acted;
use vosim_protocol::v1::task::{Ended, TaskRewound};
use vosim_protocol::{EventRecord, Hash, Role, Wire as _};

use super::named::task;
use crate::call::blob_text;
use crate::commands::Context;
use crate::commands::diff::difference;
use crate::errors::{Exit, Failure};
use crate::log;
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
    for (path, (before, after)) in ends(records.iter().map(|record| &record.record)) {
        let mut text = |hash: Option<Hash>| match hash {
            Some(hash) => blob_text(&mut client, &session, hash),
            None => Ok(String::new()),
        };
        let (before, after) = (text(before)?, text(after)?);
        let (a, b) = (format!("a/{path}"), format!("b/{path}"));
        let diff = TextDiff::from_lines(before.as_str(), after.as_str());
        let diff = diff.unified_diff().context_radius(3).header(&a, &b).to_string();
        changed.push(Changed { path, diff });
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
