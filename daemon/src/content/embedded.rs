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
    ".vosim/generator.py"
    ".vosim/hints.toml"
    ".vosim/interface.toml"
    ".vosim/invariants.toml"
    ".vosim/patterns.toml"
    ".vosim/rules.toml"
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
    "submissions/run_time_error/endless_recursion.py"
    "submissions/run_time_error/exits.py"
    "submissions/run_time_error/exits_while_loading.py"
    "submissions/run_time_error/full_raises.py"
    "submissions/run_time_error/large_only.py"
    "submissions/run_time_error/memory.py"
    "submissions/run_time_error/missing_key_raises.js"
    "submissions/run_time_error/missing_key_raises.py"
    "submissions/run_time_error/runtime_exception.py"
    "submissions/run_time_error/throws.js"
    "submissions/run_time_error/unknown_attribute.py"
    "submissions/run_time_error/unknown_name.py"
    "submissions/time_limit_exceeded/infinite_loop.py"
    "submissions/time_limit_exceeded/sleeps.py"
    "submissions/wrong_answer/answers_key.js"
    "submissions/wrong_answer/answers_key.py"
    "submissions/wrong_answer/capacity_one.js"
    "submissions/wrong_answer/capacity_one.py"
    "submissions/wrong_answer/copies_on_update.py"
    "submissions/wrong_answer/drops_all.py"
    "submissions/wrong_answer/drops_largest.py"
    "submissions/wrong_answer/drops_least_value.py"
    "submissions/wrong_answer/drops_newest.py"
    "submissions/wrong_answer/drops_smallest.py"
    "submissions/wrong_answer/drops_the_stored.py"
    "submissions/wrong_answer/drops_two.py"
    "submissions/wrong_answer/first_in_first_out.py"
    "submissions/wrong_answer/get_keeps_order.js"
    "submissions/wrong_answer/get_keeps_order.py"
    "submissions/wrong_answer/gives_nothing.py"
    "submissions/wrong_answer/hundred_at_most.js"
    "submissions/wrong_answer/hundred_at_most.py"
    "submissions/wrong_answer/key_in_32_bits.js"
    "submissions/wrong_answer/keys_in_buckets.py"
    "submissions/wrong_answer/least_frequent.py"
    "submissions/wrong_answer/miss_gives_newest.py"
    "submissions/wrong_answer/miss_is_none.py"
    "submissions/wrong_answer/miss_is_undefined.js"
    "submissions/wrong_answer/miss_is_zero.py"
    "submissions/wrong_answer/miss_stores.js"
    "submissions/wrong_answer/miss_stores.py"
    "submissions/wrong_answer/miss_uses.js"
    "submissions/wrong_answer/miss_uses.py"
    "submissions/wrong_answer/most_often.py"
    "submissions/wrong_answer/negative_key.js"
    "submissions/wrong_answer/negative_key.py"
    "submissions/wrong_answer/negative_value.js"
    "submissions/wrong_answer/negative_value.py"
    "submissions/wrong_answer/never_drops.py"
    "submissions/wrong_answer/old_copies.py"
    "submissions/wrong_answer/oldest_of_two.py"
    "submissions/wrong_answer/oldest_stays_oldest.py"
    "submissions/wrong_answer/one_too_few.js"
    "submissions/wrong_answer/one_too_few.py"
    "submissions/wrong_answer/one_too_many.js"
    "submissions/wrong_answer/one_too_many.py"
    "submissions/wrong_answer/put_forgets.py"
    "submissions/wrong_answer/read_is_next.py"
    "submissions/wrong_answer/read_removes.py"
    "submissions/wrong_answer/refuses_when_full.js"
    "submissions/wrong_answer/refuses_when_full.py"
    "submissions/wrong_answer/room_for_copies.py"
    "submissions/wrong_answer/same_value_keeps_order.js"
    "submissions/wrong_answer/same_value_keeps_order.py"
    "submissions/wrong_answer/shared_capacity.js"
    "submissions/wrong_answer/shared_capacity.py"
    "submissions/wrong_answer/shared_entries.js"
    "submissions/wrong_answer/shared_entries.py"
    "submissions/wrong_answer/shared_last.js"
    "submissions/wrong_answer/shared_last.py"
    "submissions/wrong_answer/stored_key_is_next.js"
    "submissions/wrong_answer/stored_key_is_next.py"
    "submissions/wrong_answer/sum_of_values.py"
    "submissions/wrong_answer/update_evicts.js"
    "submissions/wrong_answer/update_evicts.py"
    "submissions/wrong_answer/update_evicts_another.py"
    "submissions/wrong_answer/update_ignored.js"
    "submissions/wrong_answer/update_ignored.py"
    "submissions/wrong_answer/update_is_next.py"
    "submissions/wrong_answer/update_keeps_order.js"
    "submissions/wrong_answer/update_keeps_order.py"
    "submissions/wrong_answer/update_keeps_value.py"
    "submissions/wrong_answer/value_as_bigint.js"
    "submissions/wrong_answer/value_as_bool.py"
    "submissions/wrong_answer/value_as_float.py"
    "submissions/wrong_answer/value_as_text.py"
    "submissions/wrong_answer/value_in_32_bits.py"
    "submissions/wrong_answer/wrong_after_many.py"
    "submissions/wrong_answer/wrong_eviction.js"
    "submissions/wrong_answer/wrong_eviction.py"
    "submissions/wrong_answer/zero_key.js"
    "submissions/wrong_answer/zero_key.py"
    "submissions/wrong_answer/zero_value.js"
    "submissions/wrong_answer/zero_value.py"
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
