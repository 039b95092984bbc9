//! Lists the files of every problem package below `content/problems`, so that the binary holds them all.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root =
        Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("content/problems");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut table = String::from("&[\n");
    for package in entries(&root)? {
        let mut files = Vec::new();
        walk(&package, &mut files)?;
        table.push_str("    &[\n");
        for file in &files {
            let name = file.strip_prefix(&package).unwrap_or(file);
            // Writing to a string does not fail.
            writeln!(table, "        ({name:?}, include_bytes!({file:?}).as_slice()),").ok();
        }
        table.push_str("    ],\n");
    }
    table.push(']');
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("packages.rs"), table)
}

/// Every file below a folder, in the order of the names.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in entries(folder)? {
        if entry.is_dir() { walk(&entry, files)? } else { files.push(entry) }
    }
    Ok(())
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<_> = paths.collect::<io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}
