//! Where vosim keeps things on this machine, and the private directories for them.
//!
//! The protocol crate has the rules for the paths; this file checks them against the disk. It never
//! widens the permissions of a directory, empties one, or uses one that others can write to.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

pub(crate) use vosim_protocol::paths::quoted;
use vosim_protocol::paths::{Environment, Paths, PathsError, SOCKET_PATH_MAX_BYTES, missing_home};
use vosim_protocol::trouble::{Location, Onlooker, Seen, Trouble};

/// The variable that names a socket to use instead of the one in the runtime directory.
pub const SOCKET_VARIABLE: &str = "VOSIM_SOCKET";

/// Where vosim keeps things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The directories.
    pub paths: Paths,
    /// The socket: the one of `paths`, or the one that `VOSIM_SOCKET` names.
    pub socket: PathBuf,
}

/// Why a place cannot be used, in one sentence for the user.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// The environment does not say where anything is to be stored.
    #[error("{0}")]
    NoHome(#[from] PathsError),
    /// The kernel takes no path of this length for a socket.
    #[error(
        "the socket path {} has {bytes} bytes, but at most {SOCKET_PATH_MAX_BYTES} are possible",
        path.display()
    )]
    SocketPathTooLong {
        /// The path.
        path: PathBuf,
        /// The length.
        bytes: usize,
    },
    /// The operating system refused something.
    #[error("{} cannot be used: {}", path.display(), .trouble.cause)]
    Refused {
        /// The directory.
        path: PathBuf,
        /// The system's answer.
        trouble: Trouble,
    },
    /// Root would make folders in somebody's home, which that person could not use any more.
    #[error(
        "you are root, and {} is in a folder of user {owner}, who could not use what root makes there",
        path.display()
    )]
    HomeOfAnother {
        /// The directory that is missing.
        path: PathBuf,
        /// Whose folder it would be in.
        owner: u32,
    },
    /// Root would make a home for an account that has none.
    #[error("HOME is {}, which is not there, and root makes no home", home.display())]
    NoSuchHome {
        /// The home.
        home: PathBuf,
    },
    /// What is there is not safe to use.
    #[error("{} cannot be trusted: {why}", path.display())]
    Untrusted {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        why: Distrust,
    },
}

/// What is wrong with a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Distrust {
    /// A symbolic link, which its owner may point elsewhere.
    #[error("it is a symbolic link")]
    Link,
    /// A file or something else that is no directory.
    #[error("it is not a directory")]
    NotADirectory,
    /// A directory of another user.
    #[error("it belongs to user {0}, not to you")]
    Owner(u32),
    /// A directory that others may open.
    #[error("others may open it (mode {0:03o}, needed 700)")]
    Open(u32),
    /// A file that others may write to.
    #[error("others may write to it (mode {0:03o})")]
    Writable(u32),
    /// A directory that others may replace.
    #[error("others may replace it, because they may write to its parent directory")]
    Parent,
    /// A directory below one of another user.
    #[error("user {0} may replace it, because a directory above it belongs to that user")]
    ParentOwner(u32),
}

impl Distrust {
    /// Returns the step that makes a path with this fault one that can be trusted.
    pub(crate) fn remedy(self, path: &Path) -> String {
        let named = quoted(path);
        match self {
            Self::Open(_) => format!("chmod 700 {named}"),
            Self::Writable(_) => format!("chmod go-w {named}"),
            Self::Parent => {
                match path.ancestors().skip(1).find(|dir| parent_fault(dir).is_some()) {
                    Some(dir) => format!("chmod go-w {}", quoted(dir)),
                    None => format!("move {named} away"),
                }
            }
            Self::ParentOwner(_) => format!("put {named} into a folder of your own"),
            Self::Link | Self::NotADirectory | Self::Owner(_) => format!("move {named} away"),
        }
    }
}

impl PlaceError {
    /// Returns the one step that would solve the problem, if there is one.
    pub fn remedy(&self) -> Option<String> {
        match self {
            Self::NoHome(_) => Some("export HOME=/your/home".to_owned()),
            Self::SocketPathTooLong { .. } => {
                Some(format!("name a shorter path in {SOCKET_VARIABLE}"))
            }
            Self::Untrusted { path, why } => Some(why.remedy(path)),
            Self::Refused { trouble, .. } => trouble.mend.clone(),
            Self::HomeOfAnother { .. } | Self::NoSuchHome { .. } => {
                Some("set HOME to root's own home (sudo -H)".to_owned())
            }
        }
    }
}

impl Places {
    /// Returns the places that this process's environment names.
    pub fn from_env() -> Result<Self, PlaceError> {
        Self::new(&|name| std::env::var_os(name))
    }

    /// Returns the places that another environment names.
    pub fn new(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Self, PlaceError> {
        let paths = Paths::new(&environment(variable))?;
        let named = variable(SOCKET_VARIABLE).filter(|name| !name.is_empty());
        let socket = match named {
            Some(named) => std::path::absolute(&named)
                .map_err(|error| refused(Path::new(&named), Location::Socket, &error))?,
            None => paths.socket.clone(),
        };
        Ok(Self { paths, socket })
    }

    /// Why the socket cannot be opened.
    pub(crate) fn socket_refused(&self, error: &io::Error) -> PlaceError {
        let place =
            if self.socket == self.paths.socket { Location::Runtime } else { Location::Socket };
        refused(&self.socket, place, error)
    }

    /// Creates the socket's directory, or says why it is not safe to use.
    ///
    /// The directory of `paths` must be private. The directory of a socket that the user has named
    /// is the user's choice; others must merely be unable to replace the socket in it.
    pub fn prepare_socket_dir(&self) -> Result<(), PlaceError> {
        let bytes = self.socket.as_os_str().len();
        if bytes > SOCKET_PATH_MAX_BYTES {
            return Err(PlaceError::SocketPathTooLong { path: self.socket.clone(), bytes });
        }
        let dir = self.socket.parent().unwrap_or(Path::new("/"));
        if self.socket == self.paths.socket || !dir.exists() {
            return make_private_dir(dir, Location::Runtime);
        }
        self.check_socket_dir()
    }

    /// Checks the directory of a socket that the user has named, without changing anything.
    pub(crate) fn check_socket_dir(&self) -> Result<(), PlaceError> {
        let dir = self.socket.parent().unwrap_or(Path::new("/"));
        let untrusted = |why| PlaceError::Untrusted { path: self.socket.clone(), why };
        let fault = parent_fault(dir).filter(|_| dir.exists());
        fault.map_or(Ok(()), |why| Err(untrusted(why)))
    }
}

/// Returns the variables that the protocol's paths are made of. The runtime directory is left out
/// unless it is private to us: under `su` and `sudo` the variable may name another user's.
pub fn environment(variable: &dyn Fn(&str) -> Option<OsString>) -> Environment {
    let path = |name| variable(name).map(PathBuf::from);
    let uid = our_uid();
    Environment {
        home: path("HOME"),
        data_home: path("XDG_DATA_HOME"),
        config_home: path("XDG_CONFIG_HOME"),
        state_home: path("XDG_STATE_HOME"),
        runtime_dir: path("XDG_RUNTIME_DIR").filter(|dir| is_ours_alone(dir)),
        uid,
    }
}

/// Whether a directory belongs to us and nobody else can open it.
pub fn is_ours_alone(dir: &Path) -> bool {
    dir.metadata()
        .is_ok_and(|meta| meta.is_dir() && meta.uid() == our_uid() && meta.mode() & 0o077 == 0)
}

/// Why the system refused something at a path, as far as this process can see.
pub fn trouble(error: &io::Error, path: &Path, place: Location) -> Trouble {
    let look = |path: &Path| {
        path.metadata().ok().map(|meta| Seen { owner: meta.uid(), mode: meta.mode() })
    };
    Trouble::of(error, path, place, Onlooker { uid: our_uid(), look: &look })
}

/// The same as the reason why a place cannot be used.
pub(crate) fn refused(path: &Path, place: Location, error: &io::Error) -> PlaceError {
    PlaceError::Refused { path: path.to_owned(), trouble: trouble(error, path, place) }
}

/// Creates a directory that only we can open, with any missing parents, and checks it.
pub fn make_private_dir(dir: &Path, place: Location) -> Result<(), PlaceError> {
    let failed = |error: io::Error| refused(dir, place, &error);
    check_home(dir)?;
    if let Some(parent) = dir.parent().filter(|parent| !parent.exists()) {
        DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(failed)?;
    }
    match DirBuilder::new().mode(0o700).create(dir) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
        Ok(()) | Err(_) => {}
    }
    check_private_dir(dir, place)
}

/// Checks a directory that is there or will be made, as [`make_private_dir`] will.
pub(crate) fn check_to_be_private(dir: &Path, place: Location) -> Result<(), PlaceError> {
    check_home(dir)?;
    if dir.symlink_metadata().is_ok() { check_private_dir(dir, place) } else { Ok(()) }
}

/// Checks that root would make nothing in a home of somebody else, and no home.
fn check_home(dir: &Path) -> Result<(), PlaceError> {
    if let Some(owner) = foreign_home(dir) {
        return Err(PlaceError::HomeOfAnother { path: dir.to_owned(), owner });
    }
    let home = std::env::var_os("HOME").map(PathBuf::from);
    match missing_home(dir, home.as_deref(), Path::exists).filter(|_| our_uid() == 0) {
        Some(home) => Err(PlaceError::NoSuchHome { home: home.to_owned() }),
        None => Ok(()),
    }
}

/// Whose folder root would make this missing directory in, if that is not root's.
fn foreign_home(dir: &Path) -> Option<u32> {
    if our_uid() != 0 || dir.symlink_metadata().is_ok() {
        return None;
    }
    let owner = dir.ancestors().find_map(|above| above.metadata().ok())?.uid();
    (!is_trusted(owner)).then_some(owner)
}

/// Checks a directory without changing anything.
pub fn check_private_dir(dir: &Path, place: Location) -> Result<(), PlaceError> {
    let meta = dir.symlink_metadata().map_err(|error| refused(dir, place, &error))?;
    let mode = meta.mode() & 0o777;
    let why = if meta.is_symlink() {
        Distrust::Link
    } else if !meta.is_dir() {
        Distrust::NotADirectory
    } else if meta.uid() != our_uid() {
        Distrust::Owner(meta.uid())
    } else if mode & 0o077 != 0 {
        Distrust::Open(mode)
    } else if let Some(why) = dir.parent().and_then(parent_fault) {
        why
    } else {
        return Ok(());
    };
    Err(PlaceError::Untrusted { path: dir.to_owned(), why })
}

/// Checks a file that is obeyed: no link, ours or root's, and nobody else may change or replace it.
pub fn check_obeyed(file: &Path) -> Result<(), Distrust> {
    let about = file.symlink_metadata();
    if about.as_ref().is_ok_and(std::fs::Metadata::is_symlink) {
        return Err(Distrust::Link);
    }
    about.map_or(Ok(()), |about| check_content(file, &about))
}

/// Checks a program that is started outside of the sandbox, by the same rule; links may lead to it,
/// as long as nobody else can change those.
pub fn check_started(program: &Path) -> Result<(), Distrust> {
    let Ok(real) = program.canonicalize() else { return Ok(()) };
    check_way(program)?;
    real.metadata().map_or(Ok(()), |about| check_content(&real, &about))
}

/// What is not there or cannot be looked at fails where it is used.
fn check_content(file: &Path, about: &std::fs::Metadata) -> Result<(), Distrust> {
    let (owner, mode) = (about.uid(), about.mode() & 0o777);
    if !is_trusted(owner) {
        return Err(Distrust::Owner(owner));
    }
    if mode & others_bits(about) != 0 {
        return Err(Distrust::Writable(mode));
    }
    check_way(file)
}

/// Checks that nobody but root and us can put something else at this path.
fn check_way(path: &Path) -> Result<(), Distrust> {
    let mut way = path.ancestors().skip(1).filter(|dir| !dir.as_os_str().is_empty());
    way.find_map(parent_fault).map_or(Ok(()), Err)
}

/// What is at the path of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtSocket {
    /// Nothing.
    Nothing,
    /// A socket, alive or left over.
    Socket,
    /// Something that the daemon must neither replace nor remove.
    Other,
}

/// Looks at what is at the path of a socket; binding would remove whatever file is there.
pub fn at_socket(socket: &Path) -> io::Result<AtSocket> {
    match socket.symlink_metadata() {
        Ok(meta) if meta.file_type().is_socket() => Ok(AtSocket::Socket),
        Ok(_) => Ok(AtSocket::Other),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(AtSocket::Nothing),
            _ => Err(error),
        },
    }
}

/// Whether a process listens on a socket that was bound to this path. The kernel is asked, since
/// connecting would wake whoever listens.
pub fn is_listened_on(socket: &Path) -> bool {
    let table = std::fs::read_to_string("/proc/net/unix").unwrap_or_default();
    listeners(&table).any(|path| Path::new(path) == socket)
}

/// Returns the paths of the sockets that accept connections, from a table whose columns are
/// address, count, protocol, flags, type, state, inode and path.
fn listeners(table: &str) -> impl Iterator<Item = &str> {
    const ACCEPTS: u32 = 0x10000;
    table.lines().skip(1).filter_map(|line| {
        let mut rest = line;
        let mut flags = None;
        for column in 0..7 {
            let (word, after) = rest.trim_ascii_start().split_once(' ')?;
            if column == 3 {
                flags = u32::from_str_radix(word, 16).ok();
            }
            rest = after;
        }
        flags.filter(|flags| flags & ACCEPTS != 0).map(|_| rest)
    })
}

/// Why others than root and us could rename what is in this directory; None where they cannot.
///
/// Many systems give every user a group of the same number without other members, and directories
/// that this group may write to; those count as private.
fn parent_fault(dir: &Path) -> Option<Distrust> {
    let Ok(meta) = dir.metadata() else { return Some(Distrust::Parent) };
    if !is_trusted(meta.uid()) {
        return Some(Distrust::ParentOwner(meta.uid()));
    }
    let sticky = meta.mode() & 0o1000 != 0;
    let shut = sticky || meta.mode() & others_bits(&meta) == 0;
    (!shut).then_some(Distrust::Parent)
}

/// The number by which the kernel names every account that a user namespace has no number for.
const UNMAPPED: u32 = 65_534;

/// Whether it is us or root, who in most user namespaces goes by the number of those without one.
fn is_trusted(owner: u32) -> bool {
    owner == our_uid() || owner == 0 || owner == UNMAPPED && may_be_root()
}

/// Whether that number stands for the root of the machine: nobody in this namespace has it for a
/// number of their own, or `/` is theirs, whose owner can replace whatever there is. The second holds
/// where there is no /proc.
fn may_be_root() -> bool {
    let map = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let owns_all = || Path::new("/").metadata().is_ok_and(|root| root.uid() == UNMAPPED);
    (!map.is_empty() && !is_mapped(UNMAPPED, &map)) || owns_all()
}

/// Whether an account has a number of its own, by a map whose columns are the first number inside, the
/// first one outside and how many there are.
fn is_mapped(uid: u32, map: &str) -> bool {
    map.lines().any(|line| {
        let mut columns = line.split_ascii_whitespace().map(str::parse::<u64>);
        let (Some(Ok(first)), Some(Ok(count))) = (columns.next(), columns.nth(1)) else {
            return false;
        };
        (first..first.saturating_add(count)).contains(&u64::from(uid))
    })
}

/// The bits with which others may write. Those without a number are no group of one.
fn others_bits(about: &std::fs::Metadata) -> u32 {
    let alone = about.gid() == about.uid() && about.uid() != UNMAPPED;
    if alone { 0o002 } else { 0o022 }
}

fn our_uid() -> u32 {
    nix::unistd::geteuid().as_raw()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::os::unix::net::UnixListener;

    use super::*;

    fn chmod(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    fn why(checked: Result<(), PlaceError>) -> Distrust {
        match checked {
            Err(PlaceError::Untrusted { why, .. }) => why,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_socket_is_listened_on_as_long_as_somebody_does() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a blank");
        let listener = UnixListener::bind(&path).unwrap();
        assert!(is_listened_on(&path));
        let _connected = std::os::unix::net::UnixStream::connect(&path).unwrap();
        drop(listener);
        assert!(!is_listened_on(&path), "the file alone listens to nobody");
    }

    #[test]
    fn a_directory_that_is_made_is_ours_alone_whatever_the_umask() {
        let dir = tempfile::tempdir().unwrap();
        let made = dir.path().join("a/b");
        make_private_dir(&made, Location::Data).unwrap();
        assert_eq!(made.metadata().unwrap().mode() & 0o777, 0o700);
        make_private_dir(&made, Location::Data).unwrap();
    }

    #[test]
    fn a_directory_that_others_can_reach_or_replace_is_refused_and_left_as_it_is() {
        let base = tempfile::tempdir().unwrap();
        let dir = base.path().join("vosim");
        fs::create_dir(&dir).unwrap();
        chmod(&dir, 0o750);
        assert_eq!(why(make_private_dir(&dir, Location::Data)), Distrust::Open(0o750));
        assert_eq!(dir.metadata().unwrap().mode() & 0o777, 0o750);
        chmod(&dir, 0o700);
        chmod(base.path(), 0o777);
        assert_eq!(why(make_private_dir(&dir, Location::Data)), Distrust::Parent);
        chmod(base.path(), 0o1777);
        make_private_dir(&dir, Location::Data).unwrap();
        chmod(base.path(), 0o700);
        let link = base.path().join("link");
        symlink(&dir, &link).unwrap();
        assert_eq!(why(make_private_dir(&link, Location::Data)), Distrust::Link);
        let file = base.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(why(make_private_dir(&file, Location::Data)), Distrust::NotADirectory);
    }

    #[test]
    fn who_has_no_number_in_a_user_namespace_is_told_from_who_has() {
        let whole = "         0          0 4294967295\n";
        assert!(is_mapped(UNMAPPED, whole));
        // `unshare -Ur` and `unshare -Uc` of an ordinary user, and one with a whole range of numbers.
        assert!(!is_mapped(UNMAPPED, "         0       1000          1\n"));
        assert!(!is_mapped(UNMAPPED, "      1000       1000          1\n"));
        assert!(is_mapped(UNMAPPED, "0 1000 1\n1 100000 65536\n"));
        assert!(!is_mapped(UNMAPPED, "") && !is_mapped(UNMAPPED, "0 1000\nx y z\n"));
    }

    #[test]
    fn a_folder_of_somebody_else_is_told_from_one_that_all_may_write_to() {
        let base = tempfile::tempdir().unwrap();
        let file = base.path().join("program");
        fs::write(&file, "").unwrap();
        chmod(base.path(), 0o777);
        assert_eq!(check_started(&file), Err(Distrust::Parent));
        assert_eq!(Distrust::Parent.remedy(&file), format!("chmod go-w {}", base.path().display()));
        chmod(base.path(), 0o755);
        if nix::unistd::geteuid().is_root() {
            std::os::unix::fs::chown(base.path(), Some(1234), None).unwrap();
            let why = check_started(&file).unwrap_err();
            assert_eq!(why, Distrust::ParentOwner(1234));
            assert!(why.to_string().starts_with("user 1234 may replace it"), "{why}");
            assert!(!why.remedy(&file).contains("chmod"));
        }
    }

    #[test]
    fn a_refusal_names_the_path_and_the_step_that_mends_it() {
        let base = tempfile::tempdir().unwrap();
        let dir = base.path().join("with blank");
        fs::create_dir(&dir).unwrap();
        chmod(&dir, 0o755);
        let error = make_private_dir(&dir, Location::Data).unwrap_err();
        let path = dir.display();
        let sentence =
            format!("{path} cannot be trusted: others may open it (mode 755, needed 700)");
        assert_eq!(error.to_string(), sentence);
        assert_eq!(error.remedy().unwrap(), format!("chmod 700 '{path}'"));
    }

    #[test]
    fn the_socket_may_be_named_and_its_length_is_checked_first() {
        let base = tempfile::tempdir().unwrap();
        let home = base.path().to_owned();
        let places = |socket: &str| {
            Places::new(&|name| match name {
                "HOME" => Some(home.clone().into()),
                SOCKET_VARIABLE => Some(socket.into()),
                _ => None,
            })
            .unwrap()
        };
        let unnamed = places("");
        assert_eq!(unnamed.socket, unnamed.paths.socket);
        let named = places(home.join("own/s.sock").to_str().unwrap());
        named.prepare_socket_dir().unwrap();
        assert!(is_ours_alone(&home.join("own")));
        let long = places(home.join("x".repeat(108)).to_str().unwrap());
        let error = long.prepare_socket_dir().unwrap_err();
        assert!(error.to_string().ends_with("bytes, but at most 107 are possible"), "{error}");
    }

    #[test]
    fn a_socket_named_in_a_directory_that_all_may_write_to_is_refused() {
        let base = tempfile::tempdir().unwrap();
        chmod(base.path(), 0o777);
        let socket = base.path().join("s.sock");
        let places = Places::new(&|name| match name {
            "HOME" => Some("/home/ada".into()),
            SOCKET_VARIABLE => Some(socket.clone().into()),
            _ => None,
        });
        assert_eq!(why(places.unwrap().prepare_socket_dir()), Distrust::Parent);
    }

    #[test]
    fn a_runtime_directory_that_others_can_open_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        let runtime = || {
            let variable = |name: &str| (name == "XDG_RUNTIME_DIR").then(|| dir.path().into());
            environment(&variable).runtime_dir
        };
        chmod(dir.path(), 0o755);
        assert_eq!(runtime(), None);
        chmod(dir.path(), 0o700);
        assert_eq!(runtime(), Some(dir.path().to_owned()));
    }

    #[test]
    fn a_file_at_the_sockets_path_is_told_apart_from_a_socket() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s");
        assert_eq!(at_socket(&path).unwrap(), AtSocket::Nothing);
        fs::write(&path, "precious").unwrap();
        assert_eq!(at_socket(&path).unwrap(), AtSocket::Other);
        fs::remove_file(&path).unwrap();
        drop(UnixListener::bind(&path).unwrap());
        assert_eq!(at_socket(&path).unwrap(), AtSocket::Socket);
    }
}
