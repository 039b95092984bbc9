//! The packages of the binary, file by file. A test compares the list with the folder, so a file
//! cannot be forgotten.

use super::files::Files;

macro_rules! package {
    ($root:literal: $($path:literal)*) => {
        &[$((
            $path,
            include_bytes!(concat!("../../content/problems/", $root, "/", $path)).as_slice(),
        )),*]
    };
}

type Package = &'static [(&'static str, &'static [u8])];

const LRU_CACHE: Package = package! { "lrucache":
    ".vosim/cases.json"
    ".vosim/clarifications.toml"
    ".vosim/followups.toml"
    ".vosim/hints.toml"
    ".vosim/interface.toml"
    ".vosim/invariants.toml"
    ".vosim/patterns.toml"
    ".vosim/verdicts.toml"
    "attachments/templates/javascript/lru_cache.js"
    "attachments/templates/python/lru_cache.py"
    "problem.yaml"
    "statement/problem.en.md"
    "submissions/accepted/linear_list.py"
    "submissions/accepted/linked_list.js"
    "submissions/accepted/linked_list.py"
    "submissions/accepted/map_order.js"
    "submissions/accepted/noisy.py"
    "submissions/accepted/ordered_dict.py"
    "submissions/accepted/plain_dict.py"
    "submissions/rejected/constructor_without_capacity.py"
    "submissions/rejected/empty.py"
    "submissions/rejected/import_error.js"
    "submissions/rejected/import_error.py"
    "submissions/rejected/missing_methods.js"
    "submissions/rejected/missing_methods.py"
    "submissions/rejected/other_class.py"
    "submissions/rejected/syntax_error.js"
    "submissions/rejected/syntax_error.py"
    "submissions/rejected/wrong_parameters.py"
    "submissions/run_time_error/exits.py"
    "submissions/run_time_error/exits_while_loading.py"
    "submissions/run_time_error/large_only.py"
    "submissions/run_time_error/memory.py"
    "submissions/run_time_error/runtime_exception.py"
    "submissions/run_time_error/throws.js"
    "submissions/time_limit_exceeded/infinite_loop.py"
    "submissions/time_limit_exceeded/sleeps.py"
    "submissions/wrong_answer/capacity_one.py"
    "submissions/wrong_answer/first_in_first_out.py"
    "submissions/wrong_answer/get_keeps_order.py"
    "submissions/wrong_answer/least_frequent.py"
    "submissions/wrong_answer/miss_is_none.py"
    "submissions/wrong_answer/one_too_few.py"
    "submissions/wrong_answer/one_too_many.py"
    "submissions/wrong_answer/update_evicts.py"
    "submissions/wrong_answer/update_ignored.py"
    "submissions/wrong_answer/update_keeps_order.py"
    "submissions/wrong_answer/wrong_eviction.js"
    "submissions/wrong_answer/wrong_eviction.py"
};

/// Returns every package of the binary.
pub(super) fn packages() -> impl Iterator<Item = Files> {
    [LRU_CACHE].into_iter().map(Files::embedded)
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
