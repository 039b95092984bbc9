//! Damage to bytes, which knows nothing of JSON: cut, inserted, turned over, said twice. And the
//! pieces in which a stream may arrive.

use proptest::prelude::*;
use proptest::sample::Index;

/// One damage.
#[derive(Clone, Debug)]
pub(crate) enum Damage {
    /// Ends here.
    Cut(Index),
    /// Has this in between.
    Insert(Index, Vec<u8>),
    /// Has other bits in one byte.
    Flip(Index, u8),
    /// Lacks what stands between.
    Lose(Index, Index),
    /// Says twice what stands between.
    Stutter(Index, Index),
}

/// Any damage.
pub(crate) fn damage() -> BoxedStrategy<Damage> {
    let index = any::<Index>;
    let odd = prop_oneof![
        Just(b"\0".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\xff\xfe".to_vec()),
        Just(b"\xc3".to_vec()),
        Just(b"\xed\xa0\x80".to_vec()),
        Just("\u{feff}".as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 1..9),
    ];
    prop_oneof![
        2 => index().prop_map(Damage::Cut),
        4 => (index(), odd).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        2 => (index(), 1u8..).prop_map(|(at, bits)| Damage::Flip(at, bits)),
        1 => (index(), index()).prop_map(|(from, to)| Damage::Lose(from, to)),
        1 => (index(), index()).prop_map(|(from, to)| Damage::Stutter(from, to)),
    ]
    .boxed()
}

impl Damage {
    /// Does it.
    pub(crate) fn apply(&self, bytes: &mut Vec<u8>) {
        let end = bytes.len() + 1;
        let between = |a: &Index, b: &Index| {
            let (a, b) = (a.index(end), b.index(end));
            a.min(b)..a.max(b)
        };
        match self {
            Self::Cut(at) => bytes.truncate(at.index(end)),
            Self::Insert(at, odd) => drop(bytes.splice(at.index(end)..at.index(end), odd.clone())),
            Self::Flip(at, bits) => {
                if let Some(byte) = bytes.get_mut(at.index(end)) {
                    *byte ^= bits;
                }
            }
            Self::Lose(from, to) => drop(bytes.drain(between(from, to))),
            Self::Stutter(from, to) => {
                let twice = bytes[between(from, to)].to_vec();
                let at = between(from, to).end;
                bytes.splice(at..at, twice);
            }
        }
    }
}

/// The same bytes as they may arrive: cut at these places.
pub fn pieces<'a>(bytes: &'a [u8], cuts: &[Index]) -> Vec<&'a [u8]> {
    let mut ends: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    ends.push(bytes.len());
    ends.sort_unstable();
    let mut begin = 0;
    let piece = |end| {
        let piece = &bytes[begin..end];
        begin = end;
        piece
    };
    ends.into_iter().map(piece).filter(|piece| !piece.is_empty()).collect()
}
