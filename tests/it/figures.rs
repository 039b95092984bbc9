//! Whatever is measured can still be measured: a short round of each group, whose figures say nothing.

#[expect(dead_code, reason = "it has a beginning of its own")]
#[path = "../bench/figures.rs"]
mod bench;

use bench::{GROUPS, Table};

/// Plays a round of a group.
macro_rules! rounds {
    ($($group:ident)*) => {
        $(
            #[test]
            fn $group() {
                let (_, measure) = GROUPS.iter().find(|(name, _)| *name == stringify!($group)).unwrap();
                measure(&Table::begin(true));
            }
        )*

        #[test]
        fn every_group_has_a_round() {
            assert_eq!(GROUPS.map(|(name, _)| name), [$(stringify!($group)),*]);
        }
    };
}

rounds!(start durable delete sandbox pool submission watch idle interviews memory repair task);
