//! The packages of the binary, file by file, as the build found them in `content/problems`.

use super::files::{Files, is_part};

type Package = &'static [(&'static str, &'static [u8])];

const PACKAGES: &[Package] = include!(concat!(env!("OUT_DIR"), "/packages.rs"));

/// Returns every package of the binary.
pub(super) fn packages() -> impl Iterator<Item = Files> {
    PACKAGES.iter().map(|package| Files::embedded(package.iter().filter(|(path, _)| is_part(path))))
}

/// Returns the files of the package of 000, with which the tests try what is refused.
#[cfg(test)]
pub(super) fn lru_cache() -> Files {
    let is_it =
        |files: &Files| files.text("problem.yaml").is_ok_and(|text| text.contains("LRU Cache"));
    packages().find(is_it).expect("the binary has the package of 000")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_binary_holds_every_file_of_the_folder() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("content/problems");
        let mut folders: Vec<_> =
            std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        folders.sort();
        let on_disk: Vec<Vec<String>> = folders
            .iter()
            .map(|dir| Files::from_dir(dir).unwrap().paths().map(str::to_owned).collect())
            .collect();
        let in_binary: Vec<Vec<String>> =
            packages().map(|files| files.paths().map(str::to_owned).collect()).collect();
        assert_eq!(in_binary, on_disk);
    }
}
