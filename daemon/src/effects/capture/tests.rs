//! On real files: what counts of a file at a deadline.

use std::fs::{self, File};
use std::path::Path;
use std::time::SystemTime;

use vosim_protocol::blob::SUBMISSION_MAX_BYTES;

use super::*;

#[tokio::test]
async fn a_path_that_depends_on_where_one_stands_is_refused() {
    let effect = Capture { file_path: "a.py".to_owned(), known: None, due: at(0) };
    assert!(capture(&Turns::default(), &effect, || at(0)).await.is_err());
}

fn at(secs: i64) -> Time {
    Time::from_micros(1_700_000_000_000_000).plus_secs(secs)
}

/// The new bytes of a file, or why they do not count; and whether it was read late.
type Counts = (Result<Option<String>, Untaken>, bool);

/// What is captured of `a.py` that holds `text` and was changed at second 100.
async fn captured(text: &str, known: &str, due: Time, now: Time) -> Counts {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.py");
    fs::write(&path, text).unwrap();
    let changed = SystemTime::from(at(100).utc());
    File::options().write(true).open(path).unwrap().set_modified(changed).unwrap();
    captured_in(folder.path(), known, due, now).await
}

async fn captured_in(folder: &Path, known: &str, due: Time, now: Time) -> Counts {
    let path = folder.join("a.py");
    let known = Some(Hash::of(known.as_bytes()));
    let effect = Capture { file_path: path.to_str().unwrap().to_owned(), known, due };
    let captured = capture(&Turns::default(), &effect, || now).await;
    let Done { outcome, blobs } = captured.unwrap();
    let Captured { code, late, untaken } = outcome;
    assert_eq!(code, blobs.first().map(Blob::reference));
    let text = blobs.into_iter().next().map(|blob| String::from_utf8(blob.0).unwrap());
    match (text, untaken) {
        (Some(text), None) => (Ok(Some(text)), late),
        (None, None) => (Ok(None), late),
        (None, Some(untaken)) => (Err(untaken), late),
        (Some(_), Some(_)) => panic!("{outcome:?}"),
    }
}

// DECISIONS 11
#[tokio::test]
async fn a_deadline_takes_what_was_changed_before_it_and_is_not_known_yet() {
    let two = Ok(Some("two".to_owned()));
    assert_eq!(captured("two", "one", at(100), at(100)).await, (two.clone(), false));
    assert_eq!(captured("two", "one", at(101), at(102)).await, (two, false));
    assert_eq!(captured("two", "two", at(101), at(101)).await, (Ok(None), false));
    let changed = Err(Untaken::Changed);
    let before = at(100).plus_micros(-1);
    assert_eq!(captured("two", "one", before, at(100)).await, (changed, false));
    // Touched after the deadline, with the bytes that it had before.
    assert_eq!(captured("two", "two", before, at(100)).await, (Ok(None), false));
}

#[tokio::test]
async fn a_capture_of_a_daemon_that_was_down_is_late() {
    let two = Ok(Some("two".to_owned()));
    let due = at(100);
    assert_eq!(captured("two", "one", due, due.plus_secs(2)).await, (two.clone(), false));
    let after = due.plus_secs(2).plus_micros(1);
    assert_eq!(captured("two", "one", due, after).await, (two, true));
    assert_eq!(captured("two", "one", at(99), after).await, (Err(Untaken::Changed), true));
}

#[tokio::test]
async fn an_empty_file_at_the_deadline_counts_only_when_the_watch_has_seen_it_stay_empty() {
    assert_eq!(captured("", "one", at(101), at(101)).await, (Err(Untaken::Empty), false));
    assert_eq!(captured("", "", at(101), at(101)).await, (Ok(None), false));
    assert_eq!(captured("", "one", at(99), at(101)).await, (Err(Untaken::Changed), false));
}

#[tokio::test]
async fn what_is_no_file_at_the_deadline_is_not_captured() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let unreadable = (Err(Untaken::Unreadable), false);
    assert_eq!(captured_in(folder, "one", at(100), at(100)).await, unreadable);
    nix::unistd::mkfifo(&folder.join("a.py"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert_eq!(captured_in(folder, "one", at(100), at(100)).await, unreadable);
    let large = "x".repeat(SUBMISSION_MAX_BYTES + 1);
    assert_eq!(captured(&large, "one", at(100), at(100)).await, (Err(Untaken::TooLarge), false));
    assert_eq!(captured(&large, "one", at(99), at(100)).await, (Err(Untaken::Changed), false));
}
