//! On real files, at times of the tests' own: nothing here waits, save for the kernel's word where a
//! test is about that.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::symlink;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use vosim_protocol::blob::SUBMISSION_MAX_BYTES;

use super::*;
use crate::rest::{LOOK_EVERY, LOOK_NOW_AND_THEN, PATIENCE, SETTLED, STILL};

/// A folder with `a.py` that holds "one", and its watcher at a clock of the test's.
struct Desk {
    folder: tempfile::TempDir,
    watcher: Watcher,
    now: Instant,
}

impl Desk {
    fn new() -> Self {
        Self::of(Watcher::new)
    }

    /// Where the kernel tells nothing.
    fn silent() -> Self {
        Self::of(Watcher::by_looks)
    }

    fn of(watcher: impl FnOnce(PathBuf, Option<Hash>) -> Watcher) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.py"), "one").unwrap();
        let watcher = watcher(folder.path().join("a.py"), Some(Hash::of(b"one")));
        let mut desk = Self { folder, watcher, now: Instant::now() };
        assert_eq!(desk.look(), None, "it holds what is known");
        desk
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.at(name), text).unwrap();
    }

    fn look(&mut self) -> Option<News> {
        self.watcher.look(self.now)
    }

    /// Looks when the kernel rings and whenever a look is due, for as long.
    fn during(&mut self, time: Duration) -> Vec<News> {
        let until = self.now + time;
        let mut news = Vec::new();
        loop {
            news.extend(self.look());
            if self.now + self.watcher.due() > until {
                self.now = until;
                return news;
            }
            self.now += self.watcher.due();
        }
    }

    /// What is taken within as long: at most one text.
    fn saved(&mut self, within: Duration) -> Option<String> {
        let mut news = self.during(within);
        assert!(news.len() < 2, "{news:?}");
        match news.pop()? {
            News::Saved(bytes, _) => Some(String::from_utf8(bytes).unwrap()),
            News::Lost(why) => panic!("lost: {why:?}"),
        }
    }
}

/// Long enough for what the writer has closed, and for nothing else.
const AT_ONCE: Duration = SETTLED;

#[test]
fn each_manner_of_saving_counts_at_once_and_once() {
    let mut desk = Desk::new();
    // In place, by emptying first: nano, VS Code, a shell.
    desk.write("a.py", "two");
    assert_eq!(desk.saved(AT_ONCE).as_deref(), Some("two"));
    // Beside it, and renamed over it: GNOME's editor, Kate, JetBrains, Emacs on request.
    desk.write(".a.py.tmp", "three");
    fs::rename(desk.at(".a.py.tmp"), desk.at("a.py")).unwrap();
    assert_eq!(desk.saved(AT_ONCE).as_deref(), Some("three"));
    // The old one put aside and a new one made, which is then made as the old one was: Vim.
    desk.write(".a.py.swp", "swap");
    fs::rename(desk.at("a.py"), desk.at("a.py~")).unwrap();
    desk.write("a.py", "four");
    fs::set_permissions(desk.at("a.py"), fs::metadata(desk.at("a.py~")).unwrap().permissions())
        .unwrap();
    fs::remove_file(desk.at("a.py~")).unwrap();
    assert_eq!(desk.saved(AT_ONCE).as_deref(), Some("four"));
    // Removed and made anew.
    fs::remove_file(desk.at("a.py")).unwrap();
    desk.write("a.py", "five");
    assert_eq!(desk.saved(AT_ONCE).as_deref(), Some("five"));
    // With the length, the time and perhaps the tick of the disk's clock that it had.
    let modified = fs::metadata(desk.at("a.py")).unwrap().modified().unwrap();
    desk.write("a.py", "FIVE");
    File::options().write(true).open(desk.at("a.py")).unwrap().set_modified(modified).unwrap();
    assert_eq!(desk.saved(AT_ONCE).as_deref(), Some("FIVE"));
    assert_eq!(desk.saved(PATIENCE * 5), None);
}

#[test]
fn the_same_bytes_and_what_happens_beside_them_are_no_save() {
    let mut desk = Desk::new();
    desk.write("a.py", "one");
    desk.write("b.py", "another");
    fs::rename(desk.at("b.py"), desk.at("a.pyc")).unwrap();
    desk.write(".a.py.swp", "swap");
    assert_eq!(desk.saved(PATIENCE * 5), None);
}

#[test]
fn of_two_saves_in_a_row_the_last_counts() {
    let mut desk = Desk::new();
    // As by a tool that puts the text in order after it was saved.
    desk.write("a.py", "two");
    assert_eq!(desk.saved(SETTLED / 2), None);
    desk.write("a.py", "two, in order");
    assert_eq!(desk.saved(AT_ONCE).as_deref(), Some("two, in order"));
}

#[test]
fn half_a_save_is_not_taken_while_its_writer_has_it_open() {
    let mut desk = Desk::new();
    let mut file = File::create(desk.at("a.py")).unwrap();
    assert_eq!(desk.saved(STILL), None, "emptied first");
    file.write_all(b"tw").unwrap();
    assert_eq!(desk.saved(STILL * 2), None);
    file.write_all(b"o").unwrap();
    assert_eq!(desk.saved(STILL * 2), None);
    drop(file);
    assert_eq!(desk.saved(AT_ONCE).as_deref(), Some("two"));
    // Some keep it open for ever.
    let mut file = OpenOptions::new().append(true).open(desk.at("a.py")).unwrap();
    file.write_all(b" three").unwrap();
    assert_eq!(desk.saved(PATIENCE + STILL).as_deref(), Some("two three"));
}

#[test]
fn a_file_that_stays_empty_is_empty() {
    for mut desk in [Desk::new(), Desk::silent()] {
        desk.write("a.py", "");
        assert_eq!(desk.saved(PATIENCE - STILL), None);
        assert_eq!(desk.saved(STILL + LOOK_EVERY).as_deref(), Some(""));
    }
}

#[test]
fn without_the_kernel_looks_find_the_same() {
    let mut desk = Desk::silent();
    let within = LOOK_EVERY + STILL;
    desk.write("a.py", "two");
    assert_eq!(desk.saved(within).as_deref(), Some("two"));
    desk.write("b.py", "three");
    fs::rename(desk.at("b.py"), desk.at("a.py")).unwrap();
    assert_eq!(desk.saved(within).as_deref(), Some("three"));
    fs::rename(desk.at("a.py"), desk.at("a.py~")).unwrap();
    assert_eq!(desk.saved(LOOK_EVERY), None);
    desk.write("a.py", "four");
    assert_eq!(desk.saved(within).as_deref(), Some("four"));
    // Between two looks that find different texts neither counts.
    desk.write("a.py", "half");
    assert_eq!(desk.saved(LOOK_EVERY), None);
    desk.write("a.py", "half and half");
    assert_eq!(desk.saved(STILL).as_deref(), None);
    assert_eq!(desk.saved(STILL).as_deref(), Some("half and half"));
}

#[test]
fn a_disk_that_gives_two_saves_one_stamp_is_read_again_for_a_while() {
    let desk = Desk::silent();
    let stamp = match look(&desk.at("a.py"), None) {
        Found::Bytes(_, stamp) => stamp,
        other => panic!("{other:?}"),
    };
    let begin = Instant::now();
    let mut rest = Rest::new(Some(Hash::of(b"one")));
    let mut take = |text: &[u8], at: Duration| {
        let news = rest.take(Found::Bytes(text.to_vec(), stamp), begin + at);
        (news.is_some(), rest.left().is_some())
    };
    assert_eq!(take(b"one", Duration::ZERO), (false, false));
    // Saved within one tick of the disk's clock, with the same length.
    assert_eq!(take(b"two", LOOK_EVERY), (false, false));
    assert_eq!(take(b"two", LOOK_EVERY + STILL), (true, false));
    assert_eq!(take(b"two", LOOK_EVERY + PATIENCE), (false, true), "and then it is left alone");
}

#[test]
fn a_link_is_followed_and_may_come_to_lead_elsewhere() {
    let mut desk = Desk::new();
    fs::create_dir(desk.at("away")).unwrap();
    desk.write("away/real.py", "two");
    desk.write("away/other.py", "three");
    fs::remove_file(desk.at("a.py")).unwrap();
    symlink(desk.at("away/real.py"), desk.at("a.py")).unwrap();
    assert_eq!(desk.saved(STILL).as_deref(), Some("two"));
    // What it leads to is saved, in place and by renaming.
    desk.write("away/real.py", "two!");
    assert_eq!(desk.saved(AT_ONCE).as_deref(), Some("two!"));
    desk.write("away/new", "two!!");
    fs::rename(desk.at("away/new"), desk.at("away/real.py")).unwrap();
    assert_eq!(desk.saved(AT_ONCE).as_deref(), Some("two!!"));
    // The link itself is exchanged.
    symlink(desk.at("away/other.py"), desk.at("link")).unwrap();
    fs::rename(desk.at("link"), desk.at("a.py")).unwrap();
    assert_eq!(desk.saved(AT_ONCE).as_deref(), Some("three"));
    desk.write("away/other.py", "three!");
    assert_eq!(desk.saved(AT_ONCE).as_deref(), Some("three!"));
    // And a link in the middle, which nobody tells.
    symlink(desk.at("away"), desk.at("middle")).unwrap();
    fs::remove_file(desk.at("a.py")).unwrap();
    symlink(desk.at("middle/real.py"), desk.at("a.py")).unwrap();
    assert_eq!(desk.saved(STILL).as_deref(), Some("two!!"));
    fs::create_dir(desk.at("further")).unwrap();
    desk.write("further/real.py", "four");
    fs::remove_file(desk.at("middle")).unwrap();
    symlink(desk.at("further"), desk.at("middle")).unwrap();
    assert_eq!(desk.saved(LOOK_NOW_AND_THEN + STILL).as_deref(), Some("four"));
}

#[test]
fn a_folder_may_go_away_and_come_back_and_so_may_one_above() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let watcher = Watcher::new(at("above/here/a.py"), None);
    let mut desk = Desk { folder: tempfile::tempdir().unwrap(), watcher, now: Instant::now() };
    // Nothing is there yet, not even the folder.
    assert_eq!(desk.during(PATIENCE), [News::Lost(Obstacle::Missing)]);
    fs::create_dir_all(at("above/here")).unwrap();
    fs::write(at("above/here/a.py"), "one").unwrap();
    assert_eq!(desk.saved(LOOK_EVERY + STILL).as_deref(), Some("one"));
    fs::write(at("above/here/a.py"), "two").unwrap();
    assert_eq!(desk.saved(AT_ONCE).as_deref(), Some("two"), "the folder is watched by now");
    for (away, text) in [("above/here", "three"), ("above", "four")] {
        fs::rename(at(away), at("aside")).unwrap();
        fs::create_dir_all(at("above/here")).unwrap();
        fs::write(at("above/here/a.py"), text).unwrap();
        assert_eq!(desk.saved(LOOK_NOW_AND_THEN + STILL).as_deref(), Some(text));
        fs::write(at("above/here/a.py"), format!("{text}!")).unwrap();
        assert_eq!(desk.saved(AT_ONCE), Some(format!("{text}!")));
        fs::remove_dir_all(at("aside")).unwrap();
    }
    fs::remove_dir_all(at("above")).unwrap();
    assert_eq!(desk.during(PATIENCE + LOOK_EVERY), [News::Lost(Obstacle::Missing)]);
    fs::create_dir_all(at("above/here")).unwrap();
    fs::write(at("above/here/a.py"), "four!").unwrap();
    assert_eq!(desk.saved(PATIENCE).as_deref(), Some("four!"), "it is back as it was");
}

#[test]
fn why_a_file_cannot_be_taken_is_told_once_each_time() {
    use News::Lost;
    let mut desk = Desk::new();
    desk.write("a.py", vec![b'x'; SUBMISSION_MAX_BYTES + 1]);
    assert_eq!(desk.during(AT_ONCE), [Lost(Obstacle::TooLarge)]);
    desk.write("a.py", vec![b'y'; SUBMISSION_MAX_BYTES + 2]);
    assert_eq!(desk.during(PATIENCE), []);
    fs::remove_file(desk.at("a.py")).unwrap();
    assert_eq!(desk.during(PATIENCE - STILL), [], "editors do so for a moment");
    assert_eq!(desk.during(STILL), [Lost(Obstacle::Missing)]);
    fs::create_dir(desk.at("a.py")).unwrap();
    assert_eq!(desk.during(STILL), [Lost(Obstacle::NotAFile)]);
    fs::remove_dir(desk.at("a.py")).unwrap();
    nix::unistd::mkfifo(&desk.at("a.py"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert_eq!(desk.during(PATIENCE), [], "no file either");
    fs::remove_file(desk.at("a.py")).unwrap();
    symlink("a.py", desk.at("a.py")).unwrap();
    assert_eq!(desk.during(STILL), [Lost(Obstacle::Unreadable)], "a link that leads to itself");
    fs::remove_file(desk.at("a.py")).unwrap();
    desk.write("a.py", "one");
    assert_eq!(desk.saved(PATIENCE).as_deref(), Some("one"), "it is back as it was");
    assert_eq!(desk.saved(PATIENCE), None, "which is told once");
    fs::remove_file(desk.at("a.py")).unwrap();
    assert_eq!(desk.during(PATIENCE), [Lost(Obstacle::Missing)], "and is lost again");
}

#[test]
fn the_kernel_rings_at_a_save_and_is_quiet_when_it_was_heard() {
    let mut desk = Desk::new();
    let rings = |desk: &Desk, within: PollTimeout| {
        let wake = desk.watcher.wake().unwrap();
        poll(&mut [PollFd::new(wake, PollFlags::POLLIN)], within).unwrap() == 1
    };
    assert!(!rings(&desk, PollTimeout::ZERO));
    let path = desk.at("a.py");
    let writer = std::thread::spawn(move || fs::write(path, "two").unwrap());
    assert!(rings(&desk, PollTimeout::from(10_000_u16)));
    writer.join().unwrap();
    assert_eq!(desk.saved(AT_ONCE).as_deref(), Some("two"));
    assert!(!rings(&desk, PollTimeout::ZERO));
}

#[test]
fn a_name_without_a_folder_is_watched_where_one_stands() {
    let mut watcher = Watcher::new(PathBuf::from("no such file of this test.py"), None);
    assert_eq!(watcher.look(Instant::now()), None);
    assert!(watcher.bell.is_armed());
    let mut nameless = Watcher::new(PathBuf::from("/"), None);
    assert_eq!(nameless.look(Instant::now()), None);
    assert!(!nameless.bell.is_armed());
}
