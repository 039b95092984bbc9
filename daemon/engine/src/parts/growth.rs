//! Says what measured times per operation mean; claims nothing that the figures do not show.

use vosim_protocol::v1::evaluation::Growth;
use vosim_protocol::v1::evaluation::GrowthPoint;

/// Compares the smallest with the largest size.
///
/// With `t ~ size^e`: from `e = 1/2` on the time grows, up to `e = 1/3` it does not; between the
/// two nothing is said. Whole numbers only, so that every machine agrees.
pub fn growth(points: &[GrowthPoint]) -> Growth {
    let (Some(small), Some(large)) = (points.first(), points.last()) else {
        return Growth::Unclear;
    };
    if large.size <= small.size || small.nanos == 0 {
        return Growth::Unclear;
    }
    let [n0, n1, s0, s1] = [small.nanos, large.nanos, small.size, large.size]
        .map(|value| u128::from(value.min(1 << 30)));
    if n1 * n1 * s0 >= n0 * n0 * s1 {
        Growth::Linear
    } else if n1 * n1 * n1 * s0 <= n0 * n0 * n0 * s1 {
        Growth::Constant
    } else {
        Growth::Unclear
    }
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
        assert_eq!(of(&[(1_000, 300), (16_000, 1_200)]), Growth::Linear);
    }

    #[test]
    fn without_two_sizes_nothing_is_said() {
        assert_eq!(of(&[]), Growth::Unclear);
        assert_eq!(of(&[(1_000, 300)]), Growth::Unclear);
        assert_eq!(of(&[(1_000, 0), (16_000, 1)]), Growth::Unclear);
        assert_eq!(of(&[(1, u64::MAX), (u64::MAX, u64::MAX)]), Growth::Constant);
    }
}
