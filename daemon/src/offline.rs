//! Work that needs no daemon: `vosimctl` runs it as a child process (DECISIONS 32).
//!
//! Nothing here uses a socket. Each function returns what was found, and the text for a person;
//! printing it is left to the program.

pub mod bundle;
pub mod harden;
pub mod package;
pub mod records;
pub mod schema;
pub mod store;

use std::fs::{self, File};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use nix::fcntl::OFlag;
use vosim_watch::is_plain;

/// Opens a file that somebody has named. Anything but a file on a disk could keep its reader waiting
/// for ever.
fn opened(file: &Path) -> anyhow::Result<File> {
    let name = file.display();
    let reading = || format!("reading {name}");
    if !is_plain(file, &fs::metadata(file).with_context(reading)?) {
        bail!("this is not a regular file: {name}");
    }
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    File::options().read(true).custom_flags(flags.bits()).open(file).with_context(reading)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn what_is_no_file_on_a_disk_is_refused_at_once_and_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        for none in
            [pipe.as_path(), dir.path(), Path::new("/dev/zero"), Path::new("/proc/self/mem")]
        {
            let told = [
                super::bundle::is_bundle(none).unwrap_err(),
                super::records::verify(none).unwrap_err(),
                super::schema::check(none).unwrap_err(),
            ];
            let expected = format!("this is not a regular file: {}", none.display());
            assert!(told.iter().all(|error| error.to_string() == expected), "{told:?}");
        }
    }
}
