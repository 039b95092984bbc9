//! Carries out a call of a tool in the workspace of a task.
//!
//! What a call will write is noted before it is written. A daemon that ended in between takes up the note:
//! what was carried out is left as it is, and the call is not looked at anew.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use vosim_agent::workspace::{
    FileAnswer, FileCall, FileChange, FileName, Foreseen, Seen, Workspace,
};
use vosim_protocol::v1::agent::{ToolCall, Written};
use vosim_protocol::v1::effect::{Act, Acted};
use vosim_protocol::{Blob, Hash, Json, Wire as _};

use crate::effects::step::TaskStep;
use crate::effects::{CarryOut, Done, Run, sitting};

/// What a call is about to do, as its step notes it.
#[derive(Debug, Serialize, Deserialize)]
struct Noted {
    told: Json,
    refused: Option<String>,
    seen: Option<(FileName, Option<Hash>)>,
    change: Option<NotedChange>,
}

#[derive(Debug, Serialize, Deserialize)]
struct NotedChange {
    path: FileName,
    before: Option<Blob>,
    after: Option<Blob>,
}

impl CarryOut for Act {
    async fn carry_out(self, run: &Run) -> Result<Done<Acted>, String> {
        let Self { workspace, call, known, exam } = self;
        if let Some(exam) = exam.filter(|_| call.tool == sitting::TOOL) {
            return sitting::take_part(run, &exam, &workspace, &call).await;
        }
        let arguments = run.code(call.arguments.hash).await?;
        let mark = run.mark();
        run.daemon
            .blocking(move |_| {
                let workspace = Workspace::open(Path::new(&workspace));
                let workspace = workspace.map_err(|refusal| refusal.to_string())?;
                let step = TaskStep::begin(&mark.0, &mark.1)?;
                act(&workspace, &step, &call, (&arguments, known))
            })
            .await
    }
}

fn act(
    workspace: &Workspace,
    step: &TaskStep,
    call: &ToolCall,
    (arguments, known): (&[u8], BTreeMap<String, Hash>),
) -> Result<Done<Acted>, String> {
    let begun = step.before.as_deref().filter(|noted| !noted.is_empty());
    let before = begun.and_then(|noted| Noted::from_bytes(noted).ok());
    let interrupted = step.before.is_some();
    let noted = match before {
        Some(noted) => noted,
        None => {
            let noted = foreseen(workspace, call, arguments, known);
            step.note(&noted.to_line())?;
            noted
        }
    };
    let change =
        noted.change.map(|NotedChange { path, before, after }| FileChange { path, before, after });
    let carried_out = change.as_ref().map_or(Ok(()), |change| workspace.carry_out(change));
    Ok(match carried_out {
        Ok(()) => ended(call, noted.told, noted.refused, noted.seen, change, interrupted),
        Err(refusal) => {
            let FileAnswer { told, refusal, seen } = Foreseen::refused(refusal).answer;
            let refused = refusal.map(|refusal| refusal.to_string());
            ended(call, told, refused, seen, None, interrupted)
        }
    })
}

fn foreseen(
    workspace: &Workspace,
    call: &ToolCall,
    arguments: &[u8],
    known: BTreeMap<String, Hash>,
) -> Noted {
    let mut seen = Seen::default();
    for (path, hash) in known {
        seen.note(FileName::parse(&path).ok().map(|path| (path, Some(hash))));
    }
    let arguments = String::from_utf8_lossy(arguments);
    let foreseen = match FileCall::parse(&call.tool, &arguments) {
        Ok(parsed) => workspace.foresee(&seen, &parsed),
        Err(refusal) => Foreseen::refused(refusal),
    };
    let Foreseen { answer: FileAnswer { told, refusal, seen }, change } = foreseen;
    let change =
        change.map(|FileChange { path, before, after }| NotedChange { path, before, after });
    Noted { told, refused: refusal.map(|refusal| refusal.to_string()), seen, change }
}

fn ended(
    call: &ToolCall,
    told: Json,
    refused: Option<String>,
    seen: Option<(FileName, Option<Hash>)>,
    change: Option<FileChange>,
    interrupted: bool,
) -> Done<Acted> {
    let result = Blob(told.to_line());
    let mut blobs = Vec::new();
    let written = change.map(|FileChange { path, before, after }| {
        let (bytes, lines) = after
            .as_ref()
            .map(Blob::reference)
            .map_or((0, 0), |after| (after.bytes, after.line_count));
        let hash = |blob: &Option<Blob>| blob.as_ref().map(|blob| Hash::of(&blob.0));
        let written = Written {
            path: path.to_string(),
            before: hash(&before),
            after: hash(&after),
            bytes,
            lines: u32::try_from(lines).unwrap_or(u32::MAX),
        };
        blobs.extend([before, after].into_iter().flatten());
        written
    });
    let gist = gist(call, &told, refused.as_deref(), written.as_ref());
    let seen = seen.and_then(|(path, hash)| Some((path.to_string(), hash?)));
    let outcome = Acted {
        ok: refused.is_none(),
        result: result.reference(),
        gist,
        written,
        seen: seen.into_iter().collect(),
        interrupted,
    };
    blobs.push(result);
    Done { outcome, blobs }
}

/// What people read of it, in one line.
fn gist(call: &ToolCall, told: &Json, refused: Option<&str>, written: Option<&Written>) -> String {
    let tool = &call.tool;
    if let Some(refused) = refused {
        return format!("{tool}: {refused}.");
    }
    match written {
        Some(Written { path, before: None, lines, .. }) => {
            format!("{path} is written, {lines} lines.")
        }
        Some(Written { path, lines, .. }) => format!("{path} is changed, {lines} lines now."),
        None => match (told["path"].as_str(), told["total_files"].as_u64()) {
            (Some(path), _) => format!("{tool}: {path}"),
            (None, Some(files)) => format!("{tool}: {files} files"),
            (None, None) => tool.clone(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tool: &str, arguments: &str) -> ToolCall {
        let blob = Blob(arguments.as_bytes().to_vec());
        let (id, path) = ("call_1".to_owned(), None);
        ToolCall { id, tool: tool.to_owned(), path, arguments: blob.reference() }
    }

    /// A folder for the work and one for the marks.
    fn folders() -> (tempfile::TempDir, Workspace, tempfile::TempDir) {
        let (work, marks) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let workspace = Workspace::open(work.path()).unwrap();
        (work, workspace, marks)
    }

    const CREATE: &str = r#"{"path":"main.py","content":"x = 1\n"}"#;

    #[test]
    fn a_call_that_was_interrupted_anywhere_has_one_effect_and_one_answer() {
        let (work, workspace, marks) = folders();
        let call = call("create_file", CREATE);
        let run = || {
            let step = TaskStep::begin(marks.path(), "step-7").unwrap();
            act(&workspace, &step, &call, (CREATE.as_bytes(), BTreeMap::new())).unwrap().outcome
        };
        let first = run();
        assert!(first.ok && !first.interrupted);
        assert_eq!(std::fs::read_to_string(work.path().join("main.py")).unwrap(), "x = 1\n");
        // The end was not durable: the same step once more.
        let again = run();
        assert_eq!(again, Acted { interrupted: true, ..first.clone() });
        // Noted, and not carried out yet.
        std::fs::remove_file(work.path().join("main.py")).unwrap();
        assert_eq!(run(), again);
        // A person has saved something else meanwhile: that stays.
        std::fs::write(work.path().join("main.py"), "mine\n").unwrap();
        let refused = run();
        assert!(!refused.ok && refused.written.is_none(), "{refused:?}");
        assert_eq!(std::fs::read_to_string(work.path().join("main.py")).unwrap(), "mine\n");
    }

    #[test]
    fn what_is_no_call_changes_nothing_and_is_told() {
        let (work, workspace, marks) = folders();
        for (number, (tool, arguments)) in
            [("create_file", r#"{"path":"#), ("create_file", "[]"), ("delete", "{}")]
                .iter()
                .enumerate()
        {
            let step = TaskStep::begin(marks.path(), &format!("step-{number}")).unwrap();
            let call = call(tool, arguments);
            let acted = act(&workspace, &step, &call, (arguments.as_bytes(), BTreeMap::new()));
            assert!(!acted.unwrap().outcome.ok, "{tool} {arguments}");
        }
        assert_eq!(std::fs::read_dir(work.path()).unwrap().count(), 0);
    }
}
