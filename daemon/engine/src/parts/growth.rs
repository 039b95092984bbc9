//! Says what measured times per operation mean; claims nothing that the figures do not show.

use vosim_protocol::v1::evaluation::Growth;
use vosim_protocol::v1::evaluation::GrowthPoint;

/// What the figures say, where they say it for certain.
///
/// From the smallest to the largest size, with `t ~ size^e`: the time grows from `e = 2/3` on if it
/// rises with each size by at least the cube root; it stays for `e` up to `1/3` at every size.
/// Otherwise it cannot be said here. Whole numbers only, so that every machine agrees.
pub fn growth(points: &[GrowthPoint]) -> Growth {
    let (Some(small), Some(large)) = (points.first(), points.last()) else {
        return Growth::Unclear;
    };
    if points.windows(2).any(|pair| pair[1].size <= pair[0].size) || points.len() < 2 {
        return Growth::Unclear;
    }
    if points.iter().any(|point| point.nanos == 0) {
        return Growth::Unclear;
    }
    if rises(small, large, 2) && points.windows(2).all(|pair| rises(&pair[0], &pair[1], 1)) {
        Growth::Linear
    } else if points[1..].iter().all(|point| !rises(small, point, 1)) {
        Growth::Constant
    } else {
        Growth::Unclear
    }
}

/// Whether the time rises by more than the size does with an exponent of so many thirds.
fn rises(small: &GrowthPoint, large: &GrowthPoint, thirds: u32) -> bool {
    let [n0, n1, s0, s1] = [small.nanos, large.nanos, small.size, large.size]
        .map(|value| u128::from(value.min(1 << 24)));
    n1.pow(3) * s0.pow(thirds) > n0.pow(3) * s1.pow(thirds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(points: &[(u64, u64)]) -> Growth {
        let points: Vec<_> =
            points.iter().map(|&(size, nanos)| GrowthPoint { size, nanos }).collect();
        growth(&points)
    }

    #[test]
    fn time_that_follows_the_size_grows_and_time_that_stays_is_constant() {
        assert_eq!(of(&[(1_000, 300), (4_000, 310), (16_000, 350)]), Growth::Constant);
        assert_eq!(of(&[(1_000, 300), (16_000, 740)]), Growth::Constant);
        assert_eq!(of(&[(1_000, 300), (16_000, 1_000)]), Growth::Unclear);
        assert_eq!(of(&[(1_000, 2_000), (4_000, 8_000), (16_000, 32_000)]), Growth::Linear);
        assert_eq!(of(&[(1_000, 300), (16_000, 2_000)]), Growth::Linear);
    }

    #[test]
    fn one_figure_that_is_out_of_line_leaves_nothing_certain() {
        assert_eq!(of(&[(1_000, 300), (4_000, 310), (16_000, 4_000)]), Growth::Unclear);
        assert_eq!(of(&[(1_000, 300), (4_000, 900), (16_000, 310)]), Growth::Unclear);
        assert_eq!(of(&[(1_000, 300), (4_000, 2_000), (16_000, 2_100)]), Growth::Unclear);
    }

    #[test]
    fn without_two_sizes_nothing_is_said() {
        assert_eq!(of(&[]), Growth::Unclear);
        assert_eq!(of(&[(1_000, 300)]), Growth::Unclear);
        assert_eq!(of(&[(1_000, 0), (16_000, 1)]), Growth::Unclear);
        assert_eq!(of(&[(16_000, 300), (1_000, 300)]), Growth::Unclear);
        assert_eq!(of(&[(1, u64::MAX), (u64::MAX, u64::MAX)]), Growth::Constant);
    }
}
