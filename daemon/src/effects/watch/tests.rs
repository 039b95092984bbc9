//! On real files and tokio's paused clock: it stands still while a file is read and moves on when
//! everybody waits, so nothing here takes the time it speaks of.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::SystemTime;

use vosim_protocol::blob::SUBMISSION_MAX_BYTES;

use super::*;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.at(name), text).unwrap();
    }
}

/// What a watcher of `a.py` reports, and nothing when it is still waiting after a long while.
async fn watched(folder: &Folder, known: Option<&str>) -> Option<Ended> {
    let path = folder.at("a.py");
    let known = known.map(|text| Hash::of(text.as_bytes()));
    let turns = Turns::default();
    let watching = watch(&turns, path.to_str().unwrap(), known);
    let patience = Duration::from_secs(60);
    tokio::time::timeout(patience, watching).await.ok().map(Result::unwrap)
}

#[track_caller]
fn assert_saved(ended: Option<Ended>, text: &str) {
    let Ended { outcome, blobs } = ended.expect("a save");
    let EffectOutcome::Saved { code, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(blobs, [Blob(text.as_bytes().to_vec())]);
    assert_eq!(code, blobs[0].reference());
}

/// Does things to the folder, one after each look of the watcher.
async fn script(steps: Vec<Box<dyn FnOnce() + '_>>) {
    // Half-way between two looks.
    tokio::time::sleep(LOOK_EVERY / 2).await;
    for step in steps {
        step();
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

macro_rules! steps {
    ($($step:expr),* $(,)?) => {
        script(vec![$(Box::new(|| $step)),*])
    };
}

#[tokio::test(start_paused = true)]
async fn the_first_bytes_and_each_change_are_saves_and_a_touch_is_none() {
    let folder = Folder::new();
    folder.write("a.py", "one");
    let ended = watched(&folder, None).await;
    let mtime = fs::metadata(folder.at("a.py")).unwrap().modified().unwrap();
    let mtime = mtime.duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let micros = i64::try_from(mtime.as_micros()).unwrap();
    let modified = Time::from_micros(micros);
    assert!(matches!(
        ended.as_ref().unwrap().outcome,
        EffectOutcome::Saved { modified: told, .. } if told == modified
    ));
    assert_saved(ended, "one");
    let (ended, ()) =
        tokio::join!(watched(&folder, Some("one")), steps![folder.write("a.py", "one")]);
    assert_eq!(ended, None);
    let (ended, ()) =
        tokio::join!(watched(&folder, Some("one")), steps![folder.write("a.py", "two")]);
    assert_saved(ended, "two");
}

#[tokio::test(start_paused = true)]
async fn what_an_editor_does_for_a_moment_is_waited_out() {
    let folder = Folder::new();
    folder.write("a.py", "one");
    let (ended, ()) = tokio::join!(
        watched(&folder, Some("one")),
        steps![
            folder.write("a.py", ""),
            {},
            fs::remove_file(folder.at("a.py")).unwrap(),
            {},
            folder.write("a.py", "half"),
            folder.write("a.py", "half and"),
            {
                folder.write(".a.py.swp", "two");
                fs::rename(folder.at(".a.py.swp"), folder.at("a.py")).unwrap();
            },
        ],
    );
    assert_saved(ended, "two");
}

#[tokio::test(start_paused = true)]
async fn a_file_that_stays_empty_is_empty() {
    let folder = Folder::new();
    folder.write("a.py", "one");
    let (ended, ()) = tokio::join!(watched(&folder, Some("one")), steps![folder.write("a.py", "")]);
    assert_saved(ended, "");
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_taken_is_waited_out() {
    let folder = Folder::new();
    folder.write("a.py", vec![b'x'; SUBMISSION_MAX_BYTES + 1]);
    let pipe = || {
        fs::remove_file(folder.at("a.py")).unwrap();
        nix::unistd::mkfifo(&folder.at("a.py"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    };
    let folder_in_its_place = || {
        fs::remove_file(folder.at("a.py")).unwrap();
        fs::create_dir(folder.at("a.py")).unwrap();
    };
    let link = || {
        fs::remove_dir(folder.at("a.py")).unwrap();
        folder.write("real.py", "two");
        std::os::unix::fs::symlink(folder.at("real.py"), folder.at("a.py")).unwrap();
    };
    let steps = steps![{}, {}, pipe(), {}, {}, folder_in_its_place(), {}, {}, link()];
    let (ended, ()) = tokio::join!(watched(&folder, None), steps);
    assert_saved(ended, "two");
}

#[tokio::test(start_paused = true)]
async fn a_hundred_files_are_watched_at_once() {
    let folders: Vec<_> = (0..100).map(|_| Folder::new()).collect();
    let turns = Arc::new(Turns::default());
    let mut watchers = tokio::task::JoinSet::new();
    for folder in &folders {
        folder.write("a.py", "one");
        let (turns, path) = (Arc::clone(&turns), folder.at("a.py"));
        watchers.spawn(async move {
            watch(&turns, path.to_str().unwrap(), Some(Hash::of(b"one"))).await.unwrap()
        });
    }
    tokio::time::sleep(LOOK_EVERY * 3).await;
    for (number, folder) in folders.iter().enumerate() {
        folder.write("a.py", number.to_string());
    }
    let mut saved: Vec<_> =
        watchers.join_all().await.into_iter().map(|e| e.blobs[0].0.len()).collect();
    saved.sort_unstable();
    assert_eq!(saved, [vec![1; 10], vec![2; 90]].concat());
}

#[tokio::test]
async fn a_path_that_depends_on_where_one_stands_is_refused() {
    let turns = Turns::default();
    let refused = watch(&turns, "a.py", None).await.unwrap_err();
    assert_eq!(refused, "the path of the watched file is not absolute");
    assert!(capture(&turns, "a.py", None, at(0), || at(0)).await.is_err());
}

fn at(secs: i64) -> Time {
    Time::from_micros(1_700_000_000_000_000).plus_secs(secs)
}

/// The new bytes of a file, or why they do not count; and whether it was read late.
type Captured = (Result<Option<String>, Untaken>, bool);

/// What is captured of `a.py` that holds `text` and was changed at second 100.
async fn captured(text: &str, known: &str, due: Time, now: Time) -> Captured {
    let folder = Folder::new();
    folder.write("a.py", text);
    let changed = SystemTime::from(at(100).utc());
    File::options().write(true).open(folder.at("a.py")).unwrap().set_modified(changed).unwrap();
    captured_in(&folder, known, due, now).await
}

async fn captured_in(folder: &Folder, known: &str, due: Time, now: Time) -> Captured {
    let path = folder.at("a.py");
    let known = Some(Hash::of(known.as_bytes()));
    let captured = capture(&Turns::default(), path.to_str().unwrap(), known, due, || now).await;
    let Ended { outcome, blobs } = captured.unwrap();
    let EffectOutcome::Captured { code, late, untaken } = outcome else { panic!("{outcome:?}") };
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
    let folder = Folder::new();
    let unreadable = (Err(Untaken::Unreadable), false);
    assert_eq!(captured_in(&folder, "one", at(100), at(100)).await, unreadable);
    nix::unistd::mkfifo(&folder.at("a.py"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert_eq!(captured_in(&folder, "one", at(100), at(100)).await, unreadable);
    let large = "x".repeat(SUBMISSION_MAX_BYTES + 1);
    assert_eq!(captured(&large, "one", at(100), at(100)).await, (Err(Untaken::TooLarge), false));
    assert_eq!(captured(&large, "one", at(99), at(100)).await, (Err(Untaken::Changed), false));
}
