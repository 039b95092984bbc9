//! On real files and tokio's paused clock: it stands still while a file is read and moves on when
//! everybody waits, so nothing here takes the time it speaks of. How a file is watched is tested where
//! that is done.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use vosim_protocol::v1::effect::Obstacle;
use vosim_protocol::{Hash, Time};

use super::*;

/// Longer than anything that is waited out.
const LONG: Duration = Duration::from_secs(60);

fn effect(folder: &tempfile::TempDir, known: Option<&str>) -> Watch {
    let file_path = folder.path().join("a.py").to_str().unwrap().to_owned();
    Watch { file_path, told: None, known: known.map(|text| Hash::of(text.as_bytes())) }
}

#[tokio::test(start_paused = true)]
async fn the_first_bytes_and_each_change_are_saves_and_a_touch_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.py");
    fs::write(&path, "one").unwrap();
    let turns = Turns::default();
    let Done { outcome, blobs } = watch(&turns, &effect(&folder, None)).await.unwrap();
    let Noticed::Saved(outcome) = outcome else { panic!("{outcome:?}") };
    assert_eq!((outcome.code, &blobs[0].0[..]), (blobs[0].reference(), &b"one"[..]));
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let micros = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_micros();
    assert_eq!(outcome.modified, Time::from_micros(i64::try_from(micros).unwrap()));
    let known = effect(&folder, Some("one"));
    let mut next = Box::pin(watch(&turns, &known));
    assert!(tokio::time::timeout(LONG, &mut next).await.is_err());
    fs::write(&path, "one").unwrap();
    assert!(tokio::time::timeout(LONG, &mut next).await.is_err());
    fs::write(&path, "two").unwrap();
    let begun = Instant::now();
    assert_eq!(next.await.unwrap().blobs, [Blob(b"two".to_vec())]);
    assert!(begun.elapsed() < Duration::from_millis(100), "the kernel has told it");
}

#[tokio::test(start_paused = true)]
async fn a_file_that_cannot_be_taken_is_told_once_until_it_can() {
    let folder = tempfile::tempdir().unwrap();
    let turns = Turns::default();
    let mut effect = effect(&folder, Some("one"));
    let gone = watch(&turns, &effect).await.unwrap();
    assert_eq!(gone.outcome, Noticed::Lost(Obstacle::Missing));
    effect.told = Some(Obstacle::Missing);
    let mut next = Box::pin(watch(&turns, &effect));
    assert!(tokio::time::timeout(LONG, &mut next).await.is_err());
    fs::create_dir(folder.path().join("a.py")).unwrap();
    assert_eq!(next.await.unwrap().outcome, Noticed::Lost(Obstacle::NotAFile));
    effect.told = Some(Obstacle::NotAFile);
    fs::remove_dir(folder.path().join("a.py")).unwrap();
    fs::write(folder.path().join("a.py"), "one").unwrap();
    let back = watch(&turns, &effect).await.unwrap();
    assert_eq!(back.blobs, [Blob(b"one".to_vec())], "back with the bytes that it had");
}

/// More than the kernel is asked to tell of.
#[tokio::test(start_paused = true)]
async fn a_hundred_files_are_watched_at_once() {
    let folders: Vec<_> = (0..100).map(|_| tempfile::tempdir().unwrap()).collect();
    let turns = Arc::new(Turns::default());
    let mut watchers = tokio::task::JoinSet::new();
    for folder in &folders {
        fs::write(folder.path().join("a.py"), "one").unwrap();
        let (turns, effect) = (Arc::clone(&turns), effect(folder, Some("one")));
        watchers.spawn(async move { watch(&turns, &effect).await.unwrap() });
    }
    tokio::time::sleep(LONG).await;
    assert!(turns.ear().is_none());
    for (number, folder) in folders.iter().enumerate() {
        fs::write(folder.path().join("a.py"), number.to_string()).unwrap();
    }
    let saved = watchers.join_all().await;
    let mut saved: Vec<_> = saved.into_iter().map(|ended| ended.blobs[0].0.len()).collect();
    saved.sort_unstable();
    assert_eq!(saved, [vec![1; 10], vec![2; 90]].concat());
    assert!(turns.ear().is_some());
}

#[tokio::test]
async fn a_path_that_depends_on_where_one_stands_is_refused() {
    let effect = Watch { file_path: "a.py".to_owned(), known: None, told: None };
    let refused = watch(&Turns::default(), &effect).await.unwrap_err();
    assert_eq!(refused, "the path of the watched file is not absolute");
}
