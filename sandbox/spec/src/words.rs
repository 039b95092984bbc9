//! What the kernel answered to a step, in words without its numbers and letters.
//!
//! A table of its own, smaller than that of the protocol's `trouble.rs`: the helper links as little as it can.

/// The words, part of a sentence after a colon.
pub fn words(errno: i32) -> String {
    let words = match errno {
        1 => "the system does not permit it",
        2 => "it is not there",
        4 => "a signal came in between",
        5 => "its disk reports a fault",
        7 => "the command line and the environment are too long",
        8 => "this machine cannot run it as a program",
        11 => "the limit on processes and threads is reached",
        12 => "there is no memory left for it",
        13 => "its permissions do not allow it",
        16 => "it is in use",
        17 => "it is there already",
        20 => "a part of its path is not a folder",
        21 => "it is a folder",
        22 => "the kernel does not take it in this form",
        23 | 24 => "as many files are open as may be",
        26 => "the program is being written to",
        27 => "it would become larger than a file may be",
        28 => "there is no room left for it, or a limit is reached",
        30 => "its file system is mounted read-only",
        32 | 104 => "the other side has gone",
        36 => "its name is too long",
        38 => "the kernel does not know how to do it",
        40 => "it is a symbolic link, or links lead in a circle",
        87 => "the limit on namespaces is reached",
        95 => "its file system cannot do this",
        _ => return format!("the system refused it with its answer {errno}"),
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_answer_of_the_kernel_is_told_by_its_letters() {
        for errno in 1..=133 {
            let words = words(errno);
            let letters =
                words.split(' ').find(|word| word.len() > 2 && word.to_uppercase() == **word);
            assert!(letters.is_none_or(|word| word.parse::<i32>().is_ok()), "{words}");
        }
        assert_eq!(words(1), "the system does not permit it");
    }
}
