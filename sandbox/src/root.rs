//! The private root of a run: a small file system of our own with the runtime bound into it
//! read-only. Whatever the request does not name does not exist inside.
//!
//! Trees are opened as descriptors first, when running as root before the account is dropped, so
//! that an interpreter below a closed home can still be shown to the program (DECISIONS 24).

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, symlink};
use std::path::{Component, Path, PathBuf};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use rustix::fs::CWD;
use rustix::mount::{MoveMountFlags, OpenTreeFlags, move_mount, open_tree};
use vosim_sandbox_spec::{Mount, RunSpec, WORK_DIR};

use crate::fault::{At as _, Fault, errno_of};
use crate::sys::{self, Access};

/// Where the new root stands until it becomes the root; any directory that always exists.
const STAGE: &str = "/tmp";

/// Devices that every runtime expects.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/urandom"];

/// Most symbolic links followed on the way to one path, as in the kernel.
const LINKS_MAX: usize = 40;

/// Temporary space, where files may be written at all.
const SCRATCH: [&str; 2] = ["tmp", "dev/shm"];

/// Bytes and files that the root itself may hold: the request's files and mount points.
const ROOT_OPTIONS: &str = "mode=0755,size=16m,nr_inodes=4096";

/// Where the path that was asked for really is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Route {
    /// Without symbolic links.
    real: PathBuf,
    /// The links on the way, each with its text, to be made again inside.
    links: Vec<(PathBuf, PathBuf)>,
}

/// A part of the host's file system, detached, to be attached at the same place inside.
#[derive(Debug)]
struct Tree {
    fd: OwnedFd,
    place: PathBuf,
    directory: bool,
    access: Access,
}

/// All that a run will see of the host.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    /// Outer trees before those that stand inside them.
    trees: Vec<Tree>,
    links: BTreeMap<PathBuf, PathBuf>,
}

/// The parts of the host that a run may see: what it names, its program, the devices.
pub(crate) fn wanted(spec: &RunSpec) -> Vec<(PathBuf, Access)> {
    let access = |mount: &Mount| if mount.writable { Access::Write } else { Access::Read };
    let mut wanted: Vec<_> =
        spec.mounts.iter().map(|mount| (mount.path.clone(), access(mount))).collect();
    wanted.extend(spec.argv.first().map(|program| (PathBuf::from(program), Access::Read)));
    wanted.extend(DEVICES.map(|device| (PathBuf::from(device), Access::Device)));
    wanted
}

/// The same in the terms of the private root, for the fence that is closed inside it.
pub(crate) fn places_inside(spec: &RunSpec) -> Vec<(PathBuf, Access)> {
    let mut places = vec![(PathBuf::from("/"), Access::Read)];
    places.extend(wanted(spec).into_iter().filter(|(_, access)| !matches!(access, Access::Read)));
    if spec.limits.file_size > 0 {
        places.extend(SCRATCH.map(|place| (Path::new("/").join(place), Access::Write)));
    }
    places
}

/// Opens and restricts every wanted part. Needs the right to mount.
pub(crate) fn open_trees(spec: &RunSpec) -> Result<Outside, Fault> {
    let mut outside = Outside::default();
    for (path, access) in wanted(spec) {
        let route = trace(&path)?;
        outside.links.extend(route.links);
        if !outside.trees.iter().any(|tree| tree.covers(&route.real, access)) {
            outside.trees.push(open(route.real, access)?);
        }
    }
    outside.trees.sort_by(|a, b| a.place.cmp(&b.place));
    Ok(outside)
}

impl Tree {
    /// True when a path is inside already, with the same rights.
    fn covers(&self, path: &Path, access: Access) -> bool {
        matches!((self.access, access), (Access::Read, Access::Read))
            && path.starts_with(&self.place)
    }
}

fn open(place: PathBuf, access: Access) -> Result<Tree, Fault> {
    let missing = |errno| Fault::Missing { what: place.display().to_string(), errno };
    let about = fs::metadata(&place).map_err(|error| missing(errno_of(&error)))?;
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let fd = open_tree(CWD, &place, flags).at("opening a tree")?;
    sys::restrict_tree(fd.as_fd(), access).at("making a tree read-only")?;
    Ok(Tree { fd, place, directory: about.is_dir(), access })
}

/// Follows a path link by link.
fn trace(path: &Path) -> Result<Route, Fault> {
    let mut route = Route { real: PathBuf::from("/"), links: Vec::new() };
    let mut rest: Vec<PathBuf> = steps(path);
    while let Some(step) = rest.pop() {
        if step.as_os_str() == ".." {
            route.real.pop();
            continue;
        }
        let next = route.real.join(step);
        let Ok(text) = fs::read_link(&next) else {
            route.real = next;
            continue;
        };
        if route.links.len() == LINKS_MAX {
            let what = path.display().to_string();
            return Err(Fault::Missing { what, errno: nix::errno::Errno::ELOOP });
        }
        if text.is_absolute() {
            route.real = PathBuf::from("/");
        }
        rest.extend(steps(&text));
        route.links.push((next, text));
    }
    Ok(route)
}

/// The names of a path, last first.
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
    furnish(spec, Path::new(STAGE)).map_err(|error| own_fault("laying out the files", &error))?;
    if spec.limits.file_size > 0 {
        // Before the trees: one of them may stand inside.
        scratch(Path::new(STAGE), spec.limits.memory)?;
    }
    for (place, text) in &outside.links {
        link(&under(Path::new(STAGE), place), text)
            .map_err(|error| own_fault("making a link", &error))?;
    }
    for tree in &outside.trees {
        attach(tree, Path::new(STAGE))?;
    }
    nix::unistd::chdir(STAGE).at("entering the private root")?;
    nix::unistd::pivot_root(".", ".").at("changing the root")?;
    umount2(".", MntFlags::MNT_DETACH).at("detaching the host's root")?;
    let flags = flags | MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY;
    mount(none, "/", none, flags, none).at("making the private root read-only")?;
    nix::unistd::chdir(WORK_DIR).at("entering the working directory")
}

/// What the request names cannot be laid out. No layer was refused, so none may be left out.
fn own_fault(step: &str, error: &std::io::Error) -> Fault {
    Fault::Request(format!("{step}: {}", errno_of(error)))
}

/// What a root has of its own: an account, the working directory with the request's files.
fn furnish(spec: &RunSpec, root: &Path) -> std::io::Result<()> {
    make_dirs(&root.join("etc"))?;
    write_new(&root.join("etc/passwd"), "vosim:x:1000:1000:vosim:/work:/usr/sbin/nologin\n")?;
    write_new(&root.join("etc/group"), "vosim:x:1000:\n")?;
    let work = root.join(WORK_DIR.trim_start_matches('/'));
    make_dirs(&work)?;
    for (name, text) in &spec.files {
        write_new(&work.join(name), text)?;
    }
    make_dirs(&root.join("dev"))?;
    make_dirs(&root.join("proc"))?;
    make_dirs(&root.join("tmp"))
}

fn link(inside: &Path, text: &Path) -> std::io::Result<()> {
    inside.parent().map_or(Ok(()), make_dirs)?;
    symlink(text, inside)
}

fn attach(tree: &Tree, root: &Path) -> Result<(), Fault> {
    let inside = under(root, &tree.place);
    if inside.symlink_metadata().is_err() {
        mount_point(&inside, tree.directory)
            .map_err(|error| own_fault("making a mount point", &error))?;
    }
    move_mount(tree.fd.as_fd(), "", CWD, &inside, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)
        .at("attaching a tree")
}

fn mount_point(path: &Path, directory: bool) -> std::io::Result<()> {
    if directory {
        return make_dirs(path);
    }
    path.parent().map_or(Ok(()), make_dirs)?;
    write_new(path, "")
}

/// Room for temporary files, only where the limits allow any file to be written.
fn scratch(root: &Path, memory: u64) -> Result<(), Fault> {
    let options = format!("mode=1777,size={},nr_inodes=4096", (memory / 4).max(1 << 20));
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    make_dirs(&root.join("dev/shm")).at("making a mount point")?;
    for place in SCRATCH {
        mount(Some("tmpfs"), &root.join(place), Some("tmpfs"), flags, Some(options.as_str()))
            .at("mounting temporary space")?;
    }
    Ok(())
}

fn under(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

fn make_dirs(path: &Path) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o755).create(path)
}

pub(crate) fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o444).open(path)?;
    file.write_all(text.as_bytes())
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

        let route = trace(&base.join("usr/short")).unwrap();
        assert_eq!(route.real, base.join("usr/lib/deeper"));
        let links = route.links.iter().map(|(place, _)| place.clone()).collect::<Vec<_>>();
        assert_eq!(links, [base.join("usr/short"), base.join("lib")]);
    }

    #[test]
    fn a_circle_of_links_is_missing_not_endless() {
        let dir = tempfile::tempdir().unwrap();
        symlink("b", dir.path().join("a")).unwrap();
        symlink("a", dir.path().join("b")).unwrap();
        assert!(matches!(trace(&dir.path().join("a")), Err(Fault::Missing { .. })));
    }
}
