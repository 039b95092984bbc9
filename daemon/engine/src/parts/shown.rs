//! How much a view shows of what grows without end: a frame has its bound, and so has a screen.

/// The newest of what there is: at most `most` of them, and together at most `bytes`.
pub fn newest<T>(all: &[T], most: usize, bytes: usize, size: impl Fn(&T) -> usize) -> &[T] {
    let mut left = bytes;
    let fits = all.iter().rev().take(most).take_while(|one| match left.checked_sub(size(one)) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    });
    &all[all.len() - fits.count()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_shown_as_far_as_they_fit() {
        let all = [5, 1, 2, 3];
        let shown = |most, bytes| newest(&all, most, bytes, |size| *size).to_vec();
        assert_eq!(shown(9, 99), [5, 1, 2, 3]);
        assert_eq!(shown(2, 99), [2, 3]);
        assert_eq!(shown(9, 6), [1, 2, 3]);
        assert_eq!(shown(9, 2), [0; 0], "what is too large hides what came before it");
    }
}
