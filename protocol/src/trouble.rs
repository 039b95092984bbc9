//! Why the system refused something, in words, and what mends it: one table for all programs.
//!
//! An error of the system bears a number and two or three words, and says neither whose folder it is
//! nor what could be done. Nothing here looks at a disk: what is known of a path is asked of whoever
//! may look ([`Onlooker`]).

use std::fmt;
use std::io;
use std::path::Path;

use crate::paths::quoted;

/// What was refused something; it decides which other place can be named instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// The settings.
    Configuration,
    /// The data folder, with the store in it.
    Data,
    /// The folder of the daemon's log.
    Log,
    /// The private folder of the socket.
    Runtime,
    /// A socket that somebody has named.
    Socket,
    /// A file that a person has named.
    Named,
    /// A program that is to be started.
    Program,
}

impl Location {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Configuration,
        Self::Data,
        Self::Log,
        Self::Runtime,
        Self::Socket,
        Self::Named,
        Self::Program,
    ];

    /// The variable that names another place.
    pub fn variable(self) -> Option<&'static str> {
        match self {
            Self::Configuration => Some("XDG_CONFIG_HOME"),
            Self::Data => Some("XDG_DATA_HOME"),
            Self::Log => Some("XDG_STATE_HOME"),
            Self::Runtime => Some("XDG_RUNTIME_DIR"),
            Self::Socket => Some("VOSIM_SOCKET"),
            Self::Named | Self::Program => None,
        }
    }

    /// What must be permitted at the end of its path.
    fn needed(self) -> u32 {
        match self {
            Self::Program => EXECUTE,
            Self::Configuration
            | Self::Data
            | Self::Log
            | Self::Runtime
            | Self::Socket
            | Self::Named => READ_AND_WRITE,
        }
    }
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Whose it is.
    pub owner: u32,
    /// The bits of its permissions, and of its kind where that is known.
    pub mode: u32,
}

/// Somebody who may look at the disk.
#[derive(Clone, Copy)]
pub struct Onlooker<'a> {
    /// The account of this process.
    pub uid: u32,
    /// Returns what stands at a path, links followed; None where nothing can be seen.
    pub look: &'a dyn Fn(&Path) -> Option<Seen>,
}

impl fmt::Debug for Onlooker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Onlooker").field("uid", &self.uid).finish_non_exhaustive()
    }
}

/// Why the system refused something, and the step that mends it where there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The cause: part of a sentence, without the path that was asked for.
    pub cause: String,
    /// The step: an imperative, without a final period.
    pub mend: Option<String>,
}

impl fmt::Display for Trouble {
    /// Both in one line, for where a sentence is all there is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.mend {
            Some(mend) => write!(f, "{}; {mend}", self.cause),
            None => f.write_str(&self.cause),
        }
    }
}

/// Whether another place than the one that was refused would do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elsewhere {
    Helps,
    DoesNot,
}

use Elsewhere::{DoesNot, Helps};

const EPERM: i32 = 1;
const ENOENT: i32 = 2;
const EACCES: i32 = 13;
const EEXIST: i32 = 17;
const ENOTDIR: i32 = 20;
const ELOOP: i32 = 40;

/// The number, the cause, the step ("" where there is none; `{}` is the path), and whether another
/// place would do. Numbers are those of Linux on every machine that vosim's sandbox knows.
const ROWS: &[(i32, &str, &str, Elsewhere)] = &[
    (
        EPERM,
        "the system does not permit it, whoever the owner is",
        "see whether it is marked as unchangeable: lsattr -d {}",
        Helps,
    ),
    (ENOENT, "it is not there", "", DoesNot),
    (3, "the process has ended", "", DoesNot),
    (4, "a signal came in between", "try again", DoesNot),
    (
        5,
        "its disk reports a fault (input/output error)",
        "see what the kernel says of the disk: sudo dmesg",
        Helps,
    ),
    (6, "nothing is behind it", "", DoesNot),
    (
        7,
        "the command line and the environment together are longer than the system takes",
        "unset what is large in the environment: env | sort",
        DoesNot,
    ),
    (
        8,
        "this machine cannot run it as a program",
        "install the one that is made for this machine; see what it is: file {}",
        DoesNot,
    ),
    (9, "it has been closed already", "", DoesNot),
    (10, "its process has been waited for already", "", DoesNot),
    (
        11,
        "the limit on processes and threads is reached",
        "end some, or raise the limit (ulimit -u, or TasksMax of the unit)",
        DoesNot,
    ),
    (
        12,
        "there is no memory left for it",
        "end other programs, or raise the limit (ulimit -v, or MemoryMax of the unit)",
        DoesNot,
    ),
    (
        EACCES,
        "its permissions, or those of a folder on the way to it, do not allow it",
        "see whose each part is (namei -l {}) and allow it (chmod, chown), or use another account",
        Helps,
    ),
    (16, "it is in use by the system", "see what uses it: findmnt -T {}", DoesNot),
    (EEXIST, "something else stands in its place", "move it away: mv {} {}.old", Helps),
    (18, "it would have to move to another disk", "name a place on the same one", DoesNot),
    (19, "its device has gone", "bring its disk back", Helps),
    (ENOTDIR, "a part of its path is not a folder", "see which one it is: namei -l {}", Helps),
    (21, "it is a folder", "", DoesNot),
    (22, "the system does not take it in this form", "", DoesNot),
    (
        23,
        "the whole machine has as many files open as it can",
        "end other programs, or raise the setting fs.file-max",
        DoesNot,
    ),
    (
        24,
        "this process has as many files open as it may",
        "raise the limit (ulimit -n, or LimitNOFILE of the unit)",
        DoesNot,
    ),
    (25, "it is no terminal", "", DoesNot),
    (26, "the program is being written to", "wait until it is complete, and try again", DoesNot),
    (
        27,
        "it would become larger than a file may be",
        "raise the limit (ulimit -f, or LimitFSIZE of the unit)",
        DoesNot,
    ),
    (
        28,
        "the disk is full",
        "make room, for files as well as for bytes (df -h {}; df -i {})",
        Helps,
    ),
    (
        30,
        "its file system is mounted read-only",
        "mount it for writing: sudo mount -o remount,rw \"$(findmnt -no TARGET -T {})\"",
        Helps,
    ),
    (29, "it is a pipe, in which nothing can be passed over", "", DoesNot),
    (31, "it has as many names as its file system allows", "remove some of them", Helps),
    (32, "nobody reads it any more", "", DoesNot),
    (35, "each of two processes waits for the other", "try again", DoesNot),
    (36, "its name is too long", "name a shorter one", DoesNot),
    (37, "its file system has no locks left, or knows none", "use a local disk", Helps),
    (
        38,
        "this kernel, or a filter that this process is under, does not know how to do it",
        "use a newer kernel, or start it outside of that filter",
        DoesNot,
    ),
    (39, "the folder is not empty", "see what is in it: ls -A {}", DoesNot),
    (ELOOP, "its symbolic links lead in a circle", "see where they lead: namei -l {}", DoesNot),
    (
        74,
        "what lies on its disk does not pass the check of its file system",
        "see what the kernel says of the disk: sudo dmesg",
        Helps,
    ),
    (75, "it is larger than can be told", "", DoesNot),
    (79, "a library that it needs is not there", "install it anew", DoesNot),
    (80, "a library that it needs is damaged", "install it anew", DoesNot),
    (87, "as many users are at work as there may be", "end other programs", DoesNot),
    (88, "it is no socket", "", DoesNot),
    (90, "the message is too long", "send less at once", DoesNot),
    (91, "it is a socket of another kind", "", DoesNot),
    (93, "the system knows no sockets of this kind", "", DoesNot),
    (94, "the system knows no sockets of this kind", "", DoesNot),
    (95, "its file system cannot do this", "use a local disk", Helps),
    (
        97,
        "a filter forbids sockets of this kind",
        "allow AF_UNIX (RestrictAddressFamilies of the unit)",
        DoesNot,
    ),
    (98, "another process listens there", "see which one it is: ss -xlp", Helps),
    (99, "its address is none of this machine", "", DoesNot),
    (100, "the network is down", "see its state: ip link", DoesNot),
    (101, "no way leads to its network", "see the ways: ip route", DoesNot),
    (102, "the network has ended the connection", "try again", DoesNot),
    (103, "the connection was given up", "try again", DoesNot),
    (104, "the other side has ended the connection", "try again", DoesNot),
    (105, "the system has no room for another connection", "end other programs", DoesNot),
    (106, "it is connected already", "", DoesNot),
    (107, "its file system is not connected any more", "mount it again: findmnt -T {}", Helps),
    (108, "the connection has been closed already", "", DoesNot),
    (
        110,
        "its file system does not answer",
        "see whether the other machine can be reached: findmnt -T {}",
        Helps,
    ),
    (111, "nobody listens there", "", DoesNot),
    (
        112,
        "the other machine of its file system is down",
        "see whether it can be reached: findmnt -T {}",
        Helps,
    ),
    (113, "no way leads to the other machine", "see the ways: ip route", DoesNot),
    (114, "it is being done already", "try again", DoesNot),
    (115, "it is being done already", "try again", DoesNot),
    (
        116,
        "its file system has gone or was replaced meanwhile",
        "mount it again: findmnt -T {}",
        Helps,
    ),
    (
        117,
        "its file system is damaged",
        "see what the kernel says of it, and have it checked: sudo dmesg",
        Helps,
    ),
    (
        121,
        "the other end of its disk reports a fault",
        "see what the kernel says of the disk: sudo dmesg",
        Helps,
    ),
    (
        122,
        "the quota of this account on its disk is used up",
        "remove files, or have the quota raised",
        Helps,
    ),
    (123, "its drive is empty", "bring its disk back", Helps),
    (125, "it was cancelled", "try again", DoesNot),
    (126, "its folder is encrypted, and the key is not there", "unlock it first", Helps),
    (127, "the key of its folder has run out", "unlock it again", Helps),
    (128, "the key of its folder was taken back", "unlock it again", Helps),
    (133, "the memory of this machine has a fault", "see the kernel's words: sudo dmesg", DoesNot),
];

const KINDS: [(io::ErrorKind, i32); 9] = [
    (io::ErrorKind::PermissionDenied, EACCES),
    (io::ErrorKind::NotFound, ENOENT),
    (io::ErrorKind::AlreadyExists, EEXIST),
    (io::ErrorKind::NotADirectory, ENOTDIR),
    (io::ErrorKind::OutOfMemory, 12),
    (io::ErrorKind::FileTooLarge, 27),
    (io::ErrorKind::StorageFull, 28),
    (io::ErrorKind::ReadOnlyFilesystem, 30),
    (io::ErrorKind::QuotaExceeded, 122),
];

/// What an error says of its cause, in words without a number: the part of a sentence after a colon.
pub fn cause(error: &io::Error) -> String {
    let Some(number) = number(error) else { return error.to_string() };
    match ROWS.iter().find(|row| row.0 == number) {
        Some((_, cause, ..)) => (*cause).to_owned(),
        // The system's own words, without the number behind them.
        None => {
            let said = error.to_string();
            said.split(" (os error").next().unwrap_or(&said).to_owned()
        }
    }
}

/// Returns a number of bytes for people, in powers of 1,024.
pub fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match UNITS.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => {
            let tenths = u128::from(bytes) * 10 / u128::from(*unit);
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
        None if bytes == 1 => "1 byte".to_owned(),
        None => format!("{bytes} bytes"),
    }
}

/// The system's number of an error; that of its kind where a library has kept nothing else.
fn number(error: &io::Error) -> Option<i32> {
    let of_kind = || {
        let row = KINDS.iter().find(|row| row.0 == error.kind())?;
        error.get_ref().is_none().then_some(row.1)
    };
    error.raw_os_error().or_else(of_kind)
}

impl Trouble {
    /// Explains why `error` came of something that was wanted at `path`.
    pub fn of(error: &io::Error, path: &Path, place: Location, onlooker: Onlooker<'_>) -> Self {
        let number = number(error);
        if number == Some(EACCES)
            && place == Location::Program
            && let Some(cause) = (onlooker.look)(path).and_then(no_program)
        {
            return Self { cause: cause.to_owned(), mend: None };
        }
        if matches!(number, Some(EPERM | EACCES))
            && let Some(refusing) = refusing(path, place, onlooker)
        {
            return refusing.told(place, onlooker);
        }
        if number == Some(EACCES) && path.ancestors().find_map(onlooker.look).is_some() {
            return denied(nearest(path, onlooker), place);
        }
        // Whoever has named a file can name another one, which costs nobody theirs.
        if number == Some(EEXIST) && place == Location::Named {
            return Self { cause: cause(error), mend: Some("name another file".to_owned()) };
        }
        // What is there by its name, and nothing where that leads.
        if number == Some(EEXIST) && (onlooker.look)(path).is_none() {
            let named = quoted(path);
            let mend = format!("see where it leads, and make that or remove it: readlink {named}");
            return Self {
                cause: "a link that leads nowhere stands in its place".to_owned(),
                mend: with_another_place(mend, Helps, place),
            };
        }
        let row = ROWS.iter().find(|row| Some(row.0) == number);
        let cause = cause(error);
        let Some((_, _, mend, elsewhere)) = row else { return Self { cause, mend: None } };
        let there = if number == Some(ELOOP) { path } else { nearest(path, onlooker) };
        let mend = mend.replace("{}", &quoted(there));
        Self { cause, mend: with_another_place(mend, *elsewhere, place) }
    }
}

fn with_another_place(mend: String, elsewhere: Elsewhere, place: Location) -> Option<String> {
    let variable = place.variable().filter(|_| elsewhere == Helps);
    match (mend.is_empty(), variable) {
        (true, _) => None,
        (false, None) => Some(mend),
        (false, Some(variable)) => Some(format!("{mend}; or name another place in {variable}")),
    }
}

/// The path itself, or the last folder on the way to it that can be seen: programs that tell of a path know
/// nothing of one that is not there.
fn nearest<'a>(path: &'a Path, onlooker: Onlooker<'_>) -> &'a Path {
    path.ancestors().find(|at| (onlooker.look)(at).is_some()).unwrap_or(path)
}

/// What is wrong with the kind of what should be a program.
fn no_program(seen: Seen) -> Option<&'static str> {
    match seen.mode & KIND {
        FOLDER => Some("it is a folder, not a program"),
        // Unknown, or a file.
        0 | 0o100_000 => None,
        _ => Some("it is not a file, so it is no program"),
    }
}

/// What is told where all permissions that can be seen would allow it.
fn denied(path: &Path, place: Location) -> Trouble {
    let named = quoted(path);
    let (held_by, look) = match place {
        Location::Program => (
            "the options of its file system, or a security module, do not allow programs there",
            format!("see them: findmnt -T {named}; sudo dmesg"),
        ),
        Location::Configuration
        | Location::Data
        | Location::Log
        | Location::Runtime
        | Location::Socket
        | Location::Named => (
            "an access list or a security module does not allow it, though its permissions would",
            format!("see them: getfacl {named}; sudo dmesg"),
        ),
    };
    Trouble { cause: held_by.to_owned(), mend: with_another_place(look, Helps, place) }
}

/// What on a path keeps this account out.
#[derive(Debug)]
struct Refusing<'a> {
    at: &'a Path,
    seen: Seen,
}

/// The bits of a mode that say what kind of thing it is of, and those of a folder.
const KIND: u32 = 0o170_000;
const FOLDER: u32 = 0o040_000;
const SEARCH: u32 = 0o1;
const EXECUTE: u32 = 0o1;
const READ_AND_WRITE: u32 = 0o6;

/// Finds it: a folder on the way that may not be entered, else the end of what is there, which may not
/// be used as it is to be. None where the bits explain nothing. They hold root, too, where it may not pass
/// them over.
fn refusing<'a>(path: &'a Path, place: Location, onlooker: Onlooker<'_>) -> Option<Refusing<'a>> {
    let mut way: Vec<&Path> = path.ancestors().filter(|at| !at.as_os_str().is_empty()).collect();
    way.reverse();
    let mut last = None;
    for at in way {
        let Some(seen) = (onlooker.look)(at) else { break };
        if let Some(folder) = last.replace(Refusing { at, seen })
            && !may(folder.seen, onlooker.uid, SEARCH)
        {
            return Some(folder);
        }
    }
    let last = last?;
    // What is below cannot be seen where a folder may not be searched.
    let needed = place.needed() | if last.at == path { 0 } else { SEARCH };
    (!may(last.seen, onlooker.uid, needed)).then_some(last)
}

/// Whether all of these bits are there for an account. Of a group it is supposed to be a member.
fn may(Seen { owner, mode }: Seen, uid: u32, bits: u32) -> bool {
    let had = if owner == uid { mode >> 6 } else { mode >> 3 | mode };
    had & bits == bits
}

impl Refusing<'_> {
    fn told(&self, place: Location, Onlooker { uid, look }: Onlooker<'_>) -> Trouble {
        let Seen { owner, mode } = self.seen;
        let (shown, named) = (self.at.display(), quoted(self.at));
        let is_program = place == Location::Program && !may(self.seen, uid, EXECUTE);
        let mode = mode & 0o7777;
        if is_program && self.seen.mode & KIND != FOLDER {
            let cause = format!("{shown} may not be executed (mode {mode:03o})");
            let mend = match owner == uid {
                true => format!("chmod u+x {named}"),
                false => format!("have it allowed: sudo chmod a+x {named}"),
            };
            return Trouble { cause, mend: Some(mend) };
        }
        if owner == uid {
            let cause = format!("the permissions of {shown} keep you out (mode {mode:03o})");
            return Trouble { cause, mend: Some(format!("chmod u+rwX {named}")) };
        }
        let cause = format!("{shown} belongs to user {owner}, and you are user {uid}");
        // What lies in a folder of one's own may be taken over, and `/` or another's home may not.
        let is_in_ours = self.at.parent().and_then(look).is_some_and(|above| above.owner == uid);
        let mend = match (is_in_ours, place.variable()) {
            (true, _) => {
                let mend = format!("have it given to you: sudo chown {uid} {named}");
                with_another_place(mend, Helps, place)
            }
            (false, Some(variable)) => Some(format!("name another place in {variable}")),
            (false, None) => None,
        };
        Trouble { cause, mend }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "/home/ada/.local/share/vosim";

    fn told(number: i32, place: Location, seen: &[(&str, u32, u32)], uid: u32) -> Trouble {
        let look = |path: &Path| {
            let found = seen.iter().find(|(at, ..)| Path::new(at) == path);
            found.map(|&(_, owner, mode)| Seen { owner, mode })
        };
        let error = io::Error::from_raw_os_error(number);
        Trouble::of(&error, Path::new(PATH), place, Onlooker { uid, look: &look })
    }

    #[test]
    fn every_number_at_every_place_has_a_cause_in_words_and_a_step_that_holds() {
        for number in 1..=133 {
            for place in Location::ALL {
                let Trouble { cause, mend } = told(number, place, &[], 1000);
                assert!(!cause.is_empty() && !cause.contains("os error"), "{number}: {cause}");
                let known = ROWS.iter().find(|row| row.0 == number);
                let step = known.map_or("", |row| row.2);
                assert_eq!(mend.is_some(), !step.is_empty(), "{number}");
                let mend = mend.unwrap_or_default();
                assert!(!mend.contains("{}"), "{mend}");
                if let Some(variable) = place.variable() {
                    let helps = known.is_some_and(|row| row.3 == Helps);
                    assert_eq!(mend.contains(variable), helps, "{number}: {mend}");
                }
            }
        }
    }

    #[test]
    fn what_opening_reading_writing_connecting_and_starting_can_answer_has_words_of_ours() {
        let answers = [
            1, 2, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 27, 28, 29,
            30, 31, 32, 36, 38, 39, 40, 75, 80, 88, 91, 95, 97, 98, 99, 101, 103, 104, 105, 106,
            107, 110, 111, 113, 114, 115, 116, 117, 122,
        ];
        for number in answers {
            assert!(ROWS.iter().any(|row| row.0 == number), "{number}");
        }
    }

    #[test]
    fn no_number_has_two_rows() {
        let numbers: std::collections::BTreeSet<_> = ROWS.iter().map(|row| row.0).collect();
        assert_eq!(numbers.len(), ROWS.len());
    }

    #[test]
    fn a_full_and_a_read_only_disk_are_no_matter_of_permissions() {
        let full = told(28, Location::Data, &[(PATH, 1000, 0o700)], 1000).to_string();
        assert_eq!(
            full,
            format!(
                "the disk is full; make room, for files as well as for bytes (df -h {PATH}; df -i \
                 {PATH}); or name another place in XDG_DATA_HOME"
            )
        );
        let fixed = told(30, Location::Log, &[(PATH, 1000, 0o700)], 1000);
        assert_eq!(fixed.cause, "its file system is mounted read-only");
        assert!(!fixed.mend.unwrap().contains("chmod"));
    }

    #[test]
    fn a_step_names_what_is_there() {
        let roots = [("/", 0, 0o755), ("/home", 0, 0o755), ("/home/ada", 1000, 0o700)];
        let full = told(28, Location::Data, &roots, 1000);
        assert!(full.mend.unwrap().contains("(df -h /home/ada; df -i /home/ada)"));
        let denied = told(EACCES, Location::Data, &roots, 1000);
        assert!(denied.mend.unwrap().starts_with("see them: getfacl /home/ada;"));
        // A circle of links cannot be seen, and is what the step is about.
        let circle = told(ELOOP, Location::Data, &roots, 1000);
        assert!(circle.mend.unwrap().contains(PATH));
    }

    #[test]
    fn the_folder_that_keeps_somebody_out_is_named_with_its_owner() {
        let roots = [("/", 0, 0o755), ("/home", 0, 0o755), ("/home/ada", 1000, 0o700)];
        let made_by_root = |mode| [&roots[..], &[("/home/ada/.local", 0, mode)]].concat();
        for mode in [0o700, 0o755] {
            let Trouble { cause, mend } = told(13, Location::Data, &made_by_root(mode), 1000);
            assert_eq!(cause, "/home/ada/.local belongs to user 0, and you are user 1000");
            let step = "have it given to you: sudo chown 1000 /home/ada/.local; \
                        or name another place in XDG_DATA_HOME";
            assert_eq!(mend.as_deref(), Some(step));
        }
        let own = [&roots[..], &[("/home/ada/.local", 1000, 0o500)]].concat();
        let Trouble { cause, mend } = told(13, Location::Data, &own, 1000);
        assert_eq!(cause, "the permissions of /home/ada/.local keep you out (mode 500)");
        assert_eq!(mend.as_deref(), Some("chmod u+rwX /home/ada/.local"));
        let others = told(13, Location::Data, &[("/", 0, 0o755)], 1000);
        assert_eq!(others.cause, "/ belongs to user 0, and you are user 1000");
        assert_eq!(others.mend.as_deref(), Some("name another place in XDG_DATA_HOME"));
        // The first that keeps somebody out is the one to mend, whatever lies behind it.
        let entered = [&own[..], &[("/home/ada/.local/share", 0, 0o700)]].concat();
        assert!(told(13, Location::Data, &entered, 1000).cause.contains("/home/ada/.local/share "));
    }

    #[test]
    fn a_program_is_told_by_what_keeps_it_from_being_started() {
        let roots = [("/", 0, 0o040_755), ("/home", 0, 0o040_755), ("/home/ada", 1000, 0o040_700)];
        let way =
            [("/home/ada/.local", 1000, 0o040_700), ("/home/ada/.local/share", 1000, 0o040_700)];
        let told_of = |owner, mode| {
            let seen = [&roots[..], &way[..], &[(PATH, owner, mode)]].concat();
            let Trouble { cause, mend } = told(EACCES, Location::Program, &seen, 1000);
            (cause, mend.unwrap_or_default())
        };
        let (cause, mend) = told_of(1000, 0o100_644);
        assert_eq!(cause, format!("{PATH} may not be executed (mode 644)"));
        assert_eq!(mend, format!("chmod u+x {PATH}"));
        assert!(told_of(0, 0o100_644).1.contains("sudo chmod a+x"));
        assert_eq!(told_of(1000, 0o040_755).0, "it is a folder, not a program");
        assert_eq!(told_of(1000, 0o010_644).0, "it is not a file, so it is no program");
        assert!(told_of(0, 0o100_755).0.contains("options of its file system"));
        let shut = [&roots[..], &[("/home/ada/.local", 1000, 0o040_600)], &way[1..]].concat();
        let shut = told(EACCES, Location::Program, &shut, 1000);
        assert_eq!(shut.cause, "the permissions of /home/ada/.local keep you out (mode 600)");
    }

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1_023, "1023 bytes"),
            (1_536, "1.5 KiB"),
            (5 << 30, "5.0 GiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
        assert!(size(u64::MAX).ends_with(" GiB"));
    }

    #[test]
    fn who_has_named_a_file_that_is_there_names_another_one() {
        let named = told(EEXIST, Location::Named, &[], 1000);
        assert_eq!(named.to_string(), "something else stands in its place; name another file");
    }

    #[test]
    fn a_link_that_leads_nowhere_is_called_one() {
        let there = told(EEXIST, Location::Data, &[(PATH, 1000, 0o100_600)], 1000);
        assert!(there.cause.starts_with("something else"), "{there}");
        let Trouble { cause, mend } = told(EEXIST, Location::Data, &[], 1000);
        assert_eq!(cause, "a link that leads nowhere stands in its place");
        let mend = mend.unwrap();
        assert!(
            mend.ends_with(&format!("readlink {PATH}; or name another place in XDG_DATA_HOME"))
        );
    }

    #[test]
    fn where_the_permissions_explain_nothing_none_are_blamed() {
        for (uid, number) in [(1000, 1), (1000, 13), (0, 1), (0, 13)] {
            let own = Path::new(PATH).ancestors().take(4).filter_map(Path::to_str);
            let own = own.map(|at| (at, uid, 0o700));
            let seen: Vec<_> = own.chain([("/", 0, 0o755), ("/home", 0, 0o755)]).collect();
            let Trouble { cause, mend } = told(number, Location::Data, &seen, uid);
            let denied = match number {
                EPERM => "the system does not permit it, whoever the owner is",
                _ => "an access list or a security module does not allow it",
            };
            assert!(cause.starts_with(denied), "{cause}");
            assert!(!mend.unwrap().contains("chown"));
        }
    }

    #[test]
    fn what_has_no_number_keeps_its_words() {
        let error = io::Error::other("it is not a file");
        assert_eq!(cause(&error), "it is not a file");
        let denied = io::Error::new(io::ErrorKind::PermissionDenied, "it is not yours");
        assert_eq!(cause(&denied), "it is not yours");
        assert_eq!(cause(&io::ErrorKind::StorageFull.into()), "the disk is full");
        assert_eq!(cause(&io::Error::from_raw_os_error(131)), "State not recoverable");
    }
}
