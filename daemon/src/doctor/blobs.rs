//! Blobs that are damaged or missing: who needs each, and how it comes back.
//!
//! Nothing is mended here. Hidden cases are made anew by the judge, code is written again with the same
//! file, and the rest is in a backup alone.

use vosim_engine::kinds;
use vosim_protocol::v1::events::Content;
use vosim_protocol::v1::service::Check;
use vosim_protocol::{EventId, Hash, Head, Role, SessionId};
use vosim_store::{Store, StoreError};

use super::check::{fail, ok, warn};

const NAME: &str = "blobs";

/// Puts a backup in the store's place, in which no daemon may work meanwhile.
pub(super) const RESTORE: &str = "vosimctl daemon stop && vosimctl restore BACKUP, which puts what is \
                                  there aside (vosimctl quarantine)";

/// How a blob comes back, the easiest way first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// The judge makes it anew when it needs it.
    Submission,
    /// It is written again with the file that was given.
    File,
    /// Nobody else has it.
    Backup,
}

/// A blob that is not as it was, with the session in which it comes back most easily.
#[derive(Debug)]
struct Lost {
    hash: Hash,
    session: Option<SessionId>,
    way: Way,
}

/// Reads all blobs; blocks.
pub(super) fn check(store: &Store) -> Check {
    match lost(store) {
        Ok(lost) => told(&lost),
        Err(error @ (StoreError::Damaged { .. } | StoreError::Hole { .. })) => {
            fail(NAME, error.to_string(), Some(RESTORE.to_owned()))
        }
        // What the system refuses is no damage, and its step stands behind the reason.
        Err(error) => fail(NAME, error.to_string(), None),
    }
}

/// The damaged blobs, those that come back hardest first.
fn lost(store: &Store) -> Result<Vec<Lost>, StoreError> {
    let mut all = Vec::new();
    for hash in store.damaged_blobs()? {
        let sessions = store.referrers(hash)?;
        let ways = sessions.into_iter().map(|session| (way(store, session, hash), session));
        let easiest = ways.min_by_key(|(way, _)| *way);
        let (way, session) = easiest.map_or((Way::Backup, None), |(way, id)| (way, Some(id)));
        all.push(Lost { hash, session, way });
    }
    all.sort_by_key(|lost| std::cmp::Reverse(lost.way));
    Ok(all)
}

/// How a blob comes back in a session: where that takes no file any more, only with a backup.
fn way(store: &Store, session: SessionId, hash: Hash) -> Way {
    match store.head(session) {
        Ok(Some(head)) if !head.ended => way_in(store, &head, hash).unwrap_or(Way::Backup),
        Ok(Some(_) | None) | Err(_) => Way::Backup,
    }
}

fn way_in(store: &Store, head: &Head, hash: Hash) -> Option<Way> {
    let spec = store.blob(head.spec).ok()?;
    // What is about no problem is given no file.
    let (_, embedded) = kinds::exercise(head.kind, &spec).ok()??;
    let lines = store.read(head.session_id, EventId::ZERO, usize::MAX, usize::MAX).ok()?;
    match kinds::blob(head.kind, Role::Interviewer, &lines, hash) {
        Some(Content::Sealed) => Some(Way::Submission),
        Some(Content::Code) => Some(Way::File),
        Some(Content::AroundCode | Content::Data) => None,
        None => (hash == embedded).then_some(Way::Submission),
    }
}

fn told(lost: &[Lost]) -> Check {
    let [hardest, more @ ..] = lost else { return ok(NAME, "all of them are whole") };
    let others = if more.is_empty() { String::new() } else { format!(", {} more", more.len()) };
    let found = format!("damaged or missing: {}{others}", hardest.hash);
    // Of those that come back in one way the first stands for all.
    let mut steps: Vec<String> = Vec::new();
    for way in [Way::Backup, Way::File, Way::Submission] {
        steps.extend(lost.iter().find(|lost| lost.way == way).map(step));
    }
    let steps = Some(steps.join("; "));
    match hardest.way {
        Way::Backup => fail(NAME, format!("{found}; sessions that need them cannot go on"), steps),
        Way::File | Way::Submission => warn(NAME, found, steps),
    }
}

/// What brings a blob back.
fn step(Lost { session, way, .. }: &Lost) -> String {
    match (way, session) {
        (Way::Submission, Some(id)) => {
            format!("the next submission in session {} makes it anew", id.short())
        }
        (Way::File, Some(id)) => {
            let id = id.short();
            format!("submit the same file again: vosimctl --session {id} submit --again FILE")
        }
        (Way::Backup, Some(id)) => format!(
            "{RESTORE}; without a backup the session can only be erased: vosimctl delete {id}"
        ),
        (_, None) => RESTORE.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;
    use vosim_protocol::v1::service::CheckStatus;

    fn of(way: Way) -> Lost {
        Lost { hash: Hash::of(b"x"), session: Some(SessionId(Uuid::nil())), way }
    }

    #[test]
    fn every_damaged_blob_is_told_with_what_brings_it_back() {
        assert_eq!(told(&[]).status, CheckStatus::Ok);
        let drawn = told(&[of(Way::Submission)]);
        assert_eq!(drawn.status, CheckStatus::Warn);
        assert_eq!(drawn.fix.unwrap(), "the next submission in session 00000000 makes it anew");
        let code = told(&[of(Way::File)]);
        assert_eq!(code.status, CheckStatus::Warn);
        assert!(code.fix.unwrap().ends_with("vosimctl --session 00000000 submit --again FILE"));
        let all = told(&[of(Way::Backup), of(Way::File), of(Way::Submission)]);
        assert_eq!(all.status, CheckStatus::Fail);
        assert!(all.found.ends_with(", 2 more; sessions that need them cannot go on"));
        let fix = all.fix.unwrap();
        assert!(fix.starts_with("vosimctl daemon stop && vosimctl restore BACKUP"), "{fix}");
        assert!(fix.contains(&format!("vosimctl delete {}", Uuid::nil())), "{fix}");
        assert!(fix.contains("submit --again") && fix.contains("makes it anew"), "{fix}");
        let nobodys = Lost { session: None, ..of(Way::Backup) };
        assert_eq!(told(&[nobodys]).fix.unwrap(), RESTORE);
    }

    #[test]
    fn a_store_whose_blobs_are_whole_has_nothing_to_mend() {
        assert_eq!(check(&Store::in_memory()).status, CheckStatus::Ok);
    }
}
