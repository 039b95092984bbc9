//! Puts an agent's edits back, file by file, where the file still holds what the agent has written.

use std::path::Path;

use vosim_agent::workspace::{FileChange, FileName, Workspace};
use vosim_protocol::v1::effect::{PutBack, Restore, Restored};
use vosim_protocol::{Blob, Hash};
use vosim_store::Store;

use crate::effects::{CarryOut, Done, Run};

impl CarryOut for Restore {
    async fn carry_out(self, run: &Run) -> Result<Done<Restored>, String> {
        let Self { workspace, files } = self;
        let restored = run.daemon.blocking(move |store| {
            let workspace = Workspace::open(Path::new(&workspace));
            let workspace = workspace.map_err(|refusal| refusal.to_string())?;
            restore(&workspace, &files, |hash| bytes(store, hash))
        });
        restored.await.map(Done::from)
    }
}

fn bytes(store: &Store, hash: Hash) -> Result<Blob, String> {
    store.blob(hash).map(Blob).map_err(|error| error.to_string())
}

/// Done twice is done once: a file that is back already counts as put back.
fn restore(
    workspace: &Workspace,
    files: &[PutBack],
    bytes: impl Fn(Hash) -> Result<Blob, String>,
) -> Result<Restored, String> {
    let mut restored = Restored::default();
    for PutBack { path, ours, to } in files {
        let name = FileName::parse(path).map_err(|refusal| refusal.to_string())?;
        let now = workspace.content(&name).ok().map(|content| content.as_deref().map(Hash::of));
        let is_ours = now == Some(*ours) || now == Some(*to);
        let blob = |hash: &Option<Hash>| hash.map(&bytes).transpose();
        let change = FileChange { path: name, before: blob(ours)?, after: blob(to)? };
        let put_back = is_ours && workspace.carry_out(&change).is_ok();
        let list = if put_back { &mut restored.restored } else { &mut restored.kept };
        list.push(path.clone());
    }
    Ok(restored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_agent_wrote_goes_back_and_what_a_person_changed_stays() {
        let work = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(work.path()).unwrap();
        let texts = ["old\n", "agent\n", "mine\n"];
        let bytes = |hash: Hash| {
            let found = texts.iter().find(|text| Hash::of(text.as_bytes()) == hash);
            Ok(Blob(found.unwrap().as_bytes().to_vec()))
        };
        let hash = |text: &str| Some(Hash::of(text.as_bytes()));
        for (name, text) in [("a.py", "agent\n"), ("b.py", "mine\n"), ("c.py", "agent\n")] {
            std::fs::write(work.path().join(name), text).unwrap();
        }
        let file = |path: &str, to| PutBack { path: path.to_owned(), ours: hash("agent\n"), to };
        let files = [file("a.py", hash("old\n")), file("b.py", hash("old\n")), file("c.py", None)];
        for _ in 0..2 {
            let done = restore(&workspace, &files, bytes).unwrap();
            assert_eq!(
                (done.restored, done.kept),
                (vec!["a.py".to_owned(), "c.py".to_owned()], vec!["b.py".to_owned()])
            );
        }
        let read = |name: &str| std::fs::read_to_string(work.path().join(name)).ok();
        assert_eq!(read("a.py").as_deref(), Some("old\n"));
        assert_eq!(read("b.py").as_deref(), Some("mine\n"));
        assert_eq!(read("c.py"), None);
    }
}
