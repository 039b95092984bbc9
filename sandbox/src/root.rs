//! The private root of a run: a small file system of our own with the runtime bound into it
//! read-only. A file that the request does not name does not exist inside.
//!
//! Trees are opened as descriptors first, when running as root before the account is dropped, so
//! that an interpreter below a closed home can still be shown to the program (DECISIONS 24).

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, symlink};
use std::path::{Component, Path, PathBuf};

use nix::errno::Errno;
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::stat::{Mode, SFlag, fstat, mknod};
use rustix::fs::CWD;
use rustix::mount::{MoveMountFlags, OpenTreeFlags, move_mount, open_tree};
use vosim_sandbox_spec::{Mount, RunSpec, WORK_DIR};

use crate::fault::{At as _, Fault, errno_of, told};
use crate::network;
use crate::private;
use crate::sys::{self, Access};

/// Mount point of the new root until it becomes the root; any directory that always exists.
const STAGE: &str = "/tmp";

/// Devices that every runtime expects, and whether they may be written to. Memory mapped shared
/// from a writable `/dev/zero` would count for no process.
const DEVICES: [(&str, bool); 3] =
    [("/dev/null", true), ("/dev/zero", false), ("/dev/urandom", false)];

/// Most symbolic links that one path may lead through, as in the kernel.
const LINKS_MAX: usize = 40;

/// Temporary space, if files may be written at all.
const SCRATCH: [&str; 2] = ["tmp", "dev/shm"];

/// Bounds of the root itself, which holds the request's files and mount points.
const ROOT_OPTIONS: &str = "mode=0755,size=16m,nr_inodes=4096";

/// The way to the real place of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Route {
    /// The path without symbolic links.
    real: PathBuf,
    /// The links on the way, each with its target, to be made again inside.
    links: Vec<(PathBuf, PathBuf)>,
}

/// A detached part of the host's file system, to be attached at the same place inside.
#[derive(Debug)]
struct Tree {
    fd: OwnedFd,
    place: PathBuf,
    directory: bool,
    access: Access,
}

/// The part of the host that a run will see.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    /// Outer trees before those that stand inside them.
    trees: Vec<Tree>,
    links: BTreeMap<PathBuf, PathBuf>,
}

/// Returns the parts of the host that a run may see: those it names, its program, the devices.
pub(crate) fn wanted(spec: &RunSpec) -> Vec<(PathBuf, Access)> {
    let access = |mount: &Mount| if mount.writable { Access::Write } else { Access::Read };
    let mut wanted: Vec<_> =
        spec.mounts.iter().map(|mount| (mount.path.clone(), access(mount))).collect();
    wanted.extend(spec.argv.first().map(|program| (PathBuf::from(program), Access::Read)));
    wanted.extend(network::certificates(spec).map(|path| (path, Access::Read)));
    let device = |(path, writable)| (PathBuf::from(path), Access::Device { writable });
    wanted.extend(DEVICES.map(device));
    wanted
}

/// Returns the same parts for the Landlock rules where there is no private root. A rule holds for
/// all that is below, so of a library with packages beside it each other entry is named.
pub(crate) fn places_outside(spec: &RunSpec) -> Vec<(PathBuf, Access)> {
    let mut places = Vec::new();
    for (path, access) in wanted(spec) {
        let entries = private::is_library(&path).then(|| fs::read_dir(&path).ok()).flatten();
        let Some(entries) = entries else {
            places.push((path, access));
            continue;
        };
        let packages = |name: &OsStr| private::PACKAGES.iter().any(|it| name == *it);
        let others = entries.flatten().filter(|entry| !packages(&entry.file_name()));
        places.extend(others.map(|entry| (entry.path(), Access::Read)));
        places.push((path, Access::Names));
    }
    places
}

/// Returns the same parts as seen in the private root, for the Landlock rules inside it.
pub(crate) fn places_inside(spec: &RunSpec) -> Vec<(PathBuf, Access)> {
    let mut places = vec![(PathBuf::from("/"), Access::Read)];
    places.extend(wanted(spec).into_iter().filter(|(_, access)| !matches!(access, Access::Read)));
    if spec.limits.file_size > 0 {
        places.extend(SCRATCH.map(|place| (Path::new("/").join(place), Access::Write)));
    }
    places
}

/// Opens and restricts every wanted part, which needs the right to mount.
pub(crate) fn open_trees(spec: &RunSpec) -> Result<Outside, Fault> {
    let mut outside = Outside::default();
    let mut plain = BTreeSet::new();
    for (path, access) in wanted(spec) {
        let route = trace(&path, &mut plain)?;
        outside.links.extend(route.links);
        if !outside.trees.iter().any(|tree| tree.covers(&route.real, access)) {
            outside.trees.push(open(route.real, access)?);
        }
    }
    outside.trees.sort_by(|a, b| a.place.cmp(&b.place));
    Ok(outside)
}

impl Tree {
    /// Whether a path is in this tree, with the same rights.
    fn covers(&self, path: &Path, access: Access) -> bool {
        matches!((self.access, access), (Access::Read, Access::Read))
            && path.starts_with(&self.place)
    }
}

fn open(place: PathBuf, access: Access) -> Result<Tree, Fault> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let fd = match open_tree(CWD, &place, flags).map_err(|errno| errno_of(&errno.into())) {
        Err(errno @ (Errno::ENOENT | Errno::ENOTDIR | Errno::EACCES | Errno::ENAMETOOLONG)) => {
            return Err(Fault::Missing { what: place.display().to_string(), errno });
        }
        opened => opened.at("opening a tree")?,
    };
    sys::restrict_tree(fd.as_fd(), access).at("making a tree read-only")?;
    let kind = fstat(&fd).at("looking at a tree")?.st_mode & SFlag::S_IFMT.bits();
    Ok(Tree { fd, place, directory: kind == SFlag::S_IFDIR.bits(), access })
}

/// Follows a path link by link; `plain` collects the paths that are known to be no links.
fn trace(path: &Path, plain: &mut BTreeSet<PathBuf>) -> Result<Route, Fault> {
    let mut route = Route { real: PathBuf::from("/"), links: Vec::new() };
    let mut rest: Vec<PathBuf> = steps(path);
    while let Some(step) = rest.pop() {
        if step.as_os_str() == ".." {
            route.real.pop();
            continue;
        }
        let next = route.real.join(step);
        if plain.contains(&next) {
            route.real = next;
            continue;
        }
        let Ok(text) = fs::read_link(&next) else {
            plain.insert(next.clone());
            route.real = next;
            continue;
        };
        if route.links.len() == LINKS_MAX {
            let what = path.display().to_string();
            return Err(Fault::Missing { what, errno: Errno::ELOOP });
        }
        if text.is_absolute() {
            route.real = PathBuf::from("/");
        }
        rest.extend(steps(&text));
        route.links.push((next, text));
    }
    Ok(route)
}

/// Returns the names of a path, last first.
fn steps(path: &Path) -> Vec<PathBuf> {
    let named = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(PathBuf::from(name)),
        Component::ParentDir => Some(PathBuf::from("..")),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    });
    let mut names: Vec<_> = named.collect();
    names.reverse();
    names
}

/// Builds the root in this mount namespace and moves into it.
pub(crate) fn enter(spec: &RunSpec, outside: &Outside) -> Result<(), Fault> {
    let none: Option<&str> = None;
    mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_PRIVATE, none)
        .at("making mounts private")?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(Some("tmpfs"), STAGE, Some("tmpfs"), flags, Some(ROOT_OPTIONS))
        .at("mounting the private root")?;
    // From here on every place is named from the new root, which is also the shortest way.
    nix::unistd::chdir(STAGE).at("entering the private root")?;
    furnish(spec).map_err(|error| own_fault("laying out the files", &error))?;
    if spec.limits.file_size > 0 {
        // Before the trees: one of them may stand inside.
        scratch(spec.limits.memory)?;
    }
    for (place, text) in &outside.links {
        with_parents(inside(place), |place| symlink(text, place))
            .map_err(|error| own_fault("making a link", &error))?;
    }
    for tree in &outside.trees {
        attach(tree)?;
        cover(inside(&tree.place))?;
    }
    nix::unistd::pivot_root(".", ".").at("changing the root")?;
    umount2(".", MntFlags::MNT_DETACH).at("detaching the host's root")?;
    let flags = flags | MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY;
    mount(none, "/", none, flags, none).at("making the private root read-only")?;
    nix::unistd::chdir(WORK_DIR).at("entering the working directory")
}

/// Returns the fault of a request whose files cannot be laid out. The kernel refused no layer, so
/// no weaker level may be tried.
fn own_fault(step: &str, error: &io::Error) -> Fault {
    Fault::Request(format!("{step}: {}", told(errno_of(error))))
}

/// Makes what a root has of its own: an account, the working directory with the request's files.
fn furnish(spec: &RunSpec) -> io::Result<()> {
    let work = inside(Path::new(WORK_DIR));
    for place in [Path::new("etc"), work, Path::new("dev"), Path::new("proc"), Path::new("tmp")] {
        make_dir(place)?;
    }
    write_new("etc/passwd".as_ref(), "vosim:x:1000:1000:vosim:/work:/usr/sbin/nologin\n")?;
    write_new("etc/group".as_ref(), "vosim:x:1000:\n")?;
    for (name, text) in network::files(spec) {
        write_new(&Path::new("etc").join(name), text)?;
    }
    spec.files.iter().try_for_each(|(name, text)| write_new(&work.join(name), text))
}

fn attach(tree: &Tree) -> Result<(), Fault> {
    let place = inside(&tree.place);
    match with_parents(place, if tree.directory { make_dir } else { make_file }) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        made => made.map_err(|error| own_fault("making a mount point", &error))?,
    }
    move_mount(tree.fd.as_fd(), "", CWD, place, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)
        .at("attaching a tree")
}

/// Covers the packages in a Python's library with the empty directory that stands for /proc.
fn cover(library: &Path) -> Result<(), Fault> {
    if !private::is_library(library) {
        return Ok(());
    }
    let present = |packages: &PathBuf| fs::symlink_metadata(packages).is_ok_and(|it| it.is_dir());
    for packages in private::PACKAGES.map(|name| library.join(name)).iter().filter(|it| present(it))
    {
        let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
        let empty = open_tree(CWD, "proc", flags).at("opening an empty directory")?;
        sys::restrict_tree(empty.as_fd(), Access::Read).at("making a tree read-only")?;
        move_mount(empty.as_fd(), "", CWD, packages, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)
            .at("covering packages")?;
    }
    Ok(())
}

/// Mounts temporary space, only where the limits allow a file to be written.
fn scratch(memory: u64) -> Result<(), Fault> {
    let options = format!("mode=1777,size={},nr_inodes=4096", (memory / 4).max(1 << 20));
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    make_dir("dev/shm".as_ref()).at("making a mount point")?;
    for place in SCRATCH {
        mount(Some("tmpfs"), place, Some("tmpfs"), flags, Some(options.as_str()))
            .at("mounting temporary space")?;
    }
    Ok(())
}

/// Returns a place of the host as it is named from the new root.
fn inside(place: &Path) -> &Path {
    place.strip_prefix("/").unwrap_or(place)
}

/// Makes a file or directory, and the directories above it only if they are missing.
fn with_parents(place: &Path, make: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    match (make(place), place.parent()) {
        (Err(error), Some(parent)) if error.kind() == ErrorKind::NotFound => {
            with_parents(parent, make_dir)?;
            make(place)
        }
        (made, _) => made,
    }
}

fn make_dir(place: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o755).create(place)
}

/// Makes an empty file without opening it.
fn make_file(place: &Path) -> io::Result<()> {
    Ok(mknod(place, SFlag::S_IFREG, Mode::from_bits_truncate(0o444), 0)?)
}

pub(crate) fn write_new(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o444).open(path)?;
    file.write_all(content.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_on_the_way_are_followed_and_kept() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        fs::create_dir_all(base.join("usr/lib")).unwrap();
        symlink("usr/lib", base.join("lib")).unwrap();
        symlink("../lib/deeper", base.join("usr/short")).unwrap();
        fs::create_dir(base.join("usr/lib/deeper")).unwrap();

        let mut plain = BTreeSet::new();
        let route = trace(&base.join("usr/short"), &mut plain).unwrap();
        assert_eq!(route.real, base.join("usr/lib/deeper"));
        let links = route.links.iter().map(|(place, _)| place.clone()).collect::<Vec<_>>();
        assert_eq!(links, [base.join("usr/short"), base.join("lib")]);
        // What the first way has shown does not change the second.
        assert!(plain.contains(&base.join("usr/lib")));
        assert_eq!(trace(&base.join("usr/short"), &mut plain).unwrap(), route);
    }

    #[test]
    fn a_circle_of_links_is_missing_not_endless() {
        let dir = tempfile::tempdir().unwrap();
        symlink("b", dir.path().join("a")).unwrap();
        symlink("a", dir.path().join("b")).unwrap();
        assert!(matches!(
            trace(&dir.path().join("a"), &mut BTreeSet::new()),
            Err(Fault::Missing { .. })
        ));
    }
}
