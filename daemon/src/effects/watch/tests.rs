//! On real files and tokio's paused clock: it stands still while a file is read and moves on when
//! everybody waits, so nothing here takes the time it speaks of.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use vosim_protocol::Time;
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
async fn watched(folder: &Folder, known: Option<&str>) -> Option<Done<Saved>> {
    let path = folder.at("a.py");
    let known = known.map(|text| Hash::of(text.as_bytes()));
    let turns = Turns::default();
    let effect = Watch { file_path: path.to_str().unwrap().to_owned(), known };
    let watching = watch(&turns, &effect);
    let patience = Duration::from_secs(60);
    tokio::time::timeout(patience, watching).await.ok().map(Result::unwrap)
}

#[track_caller]
fn assert_saved(ended: Option<Done<Saved>>, text: &str) {
    let Done { outcome, blobs } = ended.expect("a save");
    assert_eq!(blobs, [Blob(text.as_bytes().to_vec())]);
    assert_eq!(outcome.code, blobs[0].reference());
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
    assert_eq!(ended.as_ref().unwrap().outcome.modified, modified);
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
        let file_path = path.to_str().unwrap().to_owned();
        let effect = Watch { file_path, known: Some(Hash::of(b"one")) };
        watchers.spawn(async move { watch(&turns, &effect).await.unwrap() });
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
    let effect = Watch { file_path: "a.py".to_owned(), known: None };
    let refused = watch(&Turns::default(), &effect).await.unwrap_err();
    assert_eq!(refused, "the path of the watched file is not absolute");
}
