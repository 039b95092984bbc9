//! A file that is moved aside when it is full; a fixed number of files is kept.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;

use nix::fcntl::OFlag;

/// The file `PATH`, with the older files `PATH.1` (the newest of them) to `PATH.N`.
#[derive(Debug)]
pub struct RotatingFile {
    path: PathBuf,
    max_bytes: u64,
    keep_files: u32,
    file: File,
    bytes: u64,
}

impl RotatingFile {
    /// Opens the file, and continues one that exists.
    ///
    /// There are at most `keep_files` files, this one included, of at most `max_bytes` each.
    pub fn open(path: PathBuf, max_bytes: u64, keep_files: u32) -> io::Result<Self> {
        let file = append(&path)?;
        let bytes = file.metadata()?.len();
        let rotating = Self { path, max_bytes, keep_files: keep_files.max(1), file, bytes };
        rotating.sweep();
        Ok(rotating)
    }

    fn rotate(&mut self) -> io::Result<()> {
        for number in (0..self.keep_files - 1).rev() {
            rename_if_there(&self.name(number), &self.name(number + 1))?;
        }
        if self.keep_files == 1 {
            fs::remove_file(&self.path)?;
        }
        self.file = append(&self.path)?;
        self.bytes = 0;
        Ok(())
    }

    /// Removes the files that a larger `keep_files` has left.
    fn sweep(&self) {
        let mut number = self.keep_files;
        // The numbers have no gaps, so the first missing one is the end.
        while fs::remove_file(self.name(number)).is_ok() {
            number += 1;
        }
    }

    /// Returns the name of the file of this age; 0 is the one being written.
    fn name(&self, number: u32) -> PathBuf {
        if number == 0 {
            return self.path.clone();
        }
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{number}"));
        name.into()
    }
}

impl Write for RotatingFile {
    /// Takes a whole line, and never splits one over two files.
    ///
    /// A file that cannot be moved aside grows to twice its size, rather than losing lines at once;
    /// a line larger than a file is left out.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let bytes = line.len() as u64;
        if bytes > self.max_bytes {
            return Ok(line.len());
        }
        let room = |file: &Self, max_bytes| file.bytes + bytes <= max_bytes;
        if !room(self, self.max_bytes)
            && self.rotate().is_err()
            && !room(self, self.max_bytes.saturating_mul(2))
        {
            return Ok(line.len());
        }
        self.file.write_all(line)?;
        self.bytes += bytes;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn append(path: &PathBuf) -> io::Result<File> {
    // A pipe that nobody reads would keep us waiting.
    let no_wait = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    let mut how = OpenOptions::new();
    how.create(true).append(true).mode(0o600).custom_flags(no_wait.bits()).open(path)
}

fn rename_if_there(from: &PathBuf, to: &PathBuf) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        answer => answer,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn write_lines(file: &mut RotatingFile, numbers: std::ops::Range<u32>) {
        for number in numbers {
            file.write_all(format!("line {number:03}\n").as_bytes()).unwrap();
        }
    }

    #[test]
    fn number_and_size_of_files_are_bounded_and_the_newest_lines_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let mut file = RotatingFile::open(path.clone(), 30, 3).unwrap();
        write_lines(&mut file, 0..100);
        assert_eq!(names(dir.path()), ["log", "log.1", "log.2"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "line 099\n");
        let older = fs::read_to_string(dir.path().join("log.1")).unwrap();
        assert_eq!(older, "line 096\nline 097\nline 098\n");
    }

    #[test]
    fn a_file_that_is_there_is_gone_on_with() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        for number in 0..3 {
            let mut file = RotatingFile::open(path.clone(), 30, 2).unwrap();
            write_lines(&mut file, number..number + 1);
        }
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 3);
        write_lines(&mut RotatingFile::open(path.clone(), 30, 2).unwrap(), 3..4);
        assert_eq!(fs::read_to_string(&path).unwrap(), "line 003\n");
    }

    #[test]
    fn fewer_files_than_before_removes_the_oldest_and_one_keeps_no_old_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        write_lines(&mut RotatingFile::open(path.clone(), 30, 5).unwrap(), 0..100);
        assert_eq!(names(dir.path()).len(), 5);
        let mut file = RotatingFile::open(path, 30, 1).unwrap();
        assert_eq!(names(dir.path()), ["log"]);
        write_lines(&mut file, 0..100);
        assert_eq!(names(dir.path()), ["log"]);
    }

    #[test]
    fn a_pipe_that_nobody_reads_is_refused_and_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("log");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let refused = RotatingFile::open(pipe, 30, 2).unwrap_err();
        assert_eq!(refused.raw_os_error(), Some(nix::libc::ENXIO));
    }

    #[test]
    fn a_line_larger_than_a_file_is_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let mut file = RotatingFile::open(path.clone(), 30, 2).unwrap();
        file.write_all(&[b'x'; 31]).unwrap();
        write_lines(&mut file, 0..1);
        assert_eq!(fs::read_to_string(&path).unwrap(), "line 000\n");
    }

    #[test]
    fn a_file_that_cannot_be_moved_aside_grows_to_twice_its_size_and_no_more() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        // A full directory in the way: nothing can be renamed over it.
        fs::create_dir(dir.path().join("log.1")).unwrap();
        fs::write(dir.path().join("log.1/x"), "").unwrap();
        let mut file = RotatingFile::open(path.clone(), 30, 2).unwrap();
        write_lines(&mut file, 0..100);
        assert_eq!(fs::metadata(&path).unwrap().len(), 54);
    }
}
