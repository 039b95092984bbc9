//! The form of every stored value: a version byte, a checksum, the bytes.
//!
//! The checksum also covers version and key, so that a value under a wrong key is noticed like a
//! flipped bit. Checking it is not left to the databases, since redb returns damaged values
//! silently.

use crate::backend::Batch;

/// The version byte that this binary writes.
pub(crate) const VALUE_FORMAT: u8 = 1;

/// What precedes a value's bytes.
pub(crate) const HEADER_BYTES: usize = 5;

/// Why a value cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unsealed {
    #[error("its checksum does not fit")]
    Checksum,
    #[error("it is cut short")]
    Short,
    #[error("it is of format {0}, which is newer than this vosimd; install the newer one again")]
    Newer(u8),
}

/// Wraps bytes to be stored under a key.
pub(crate) fn seal(key: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut value = Vec::with_capacity(HEADER_BYTES + bytes.len());
    value.push(VALUE_FORMAT);
    value.extend_from_slice(&checksum(VALUE_FORMAT, key, bytes).to_le_bytes());
    value.extend_from_slice(bytes);
    value
}

/// Adds a sealed value to a batch.
pub(crate) fn put(batch: &mut Batch, key: Vec<u8>, bytes: &[u8]) {
    let value = seal(&key, bytes);
    batch.put(key, value);
}

/// Checks a value and returns its bytes.
pub(crate) fn unseal<'a>(key: &[u8], value: &'a [u8]) -> Result<&'a [u8], Unsealed> {
    let (header, bytes) = value.split_first_chunk::<HEADER_BYTES>().ok_or(Unsealed::Short)?;
    let [version, crc @ ..] = *header;
    // A flipped version byte is damage; only an intact value can be a newer one.
    if u32::from_le_bytes(crc) != checksum(version, key, bytes) {
        return Err(Unsealed::Checksum);
    }
    if version > VALUE_FORMAT { Err(Unsealed::Newer(version)) } else { Ok(bytes) }
}

fn checksum(version: u8, key: &[u8], bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&[version]);
    hasher.update(key);
    hasher.update(bytes);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn one_flipped_bit_anywhere_is_noticed(bytes: Vec<u8>, at: prop::sample::Index) {
            let key = b"k";
            let mut value = seal(key, &bytes);
            prop_assert_eq!(unseal(key, &value), Ok(&*bytes));
            let bit = at.index(value.len() * 8);
            value[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(unseal(key, &value).is_err());
        }
    }

    #[test]
    fn a_value_under_another_key_is_not_taken() {
        assert_eq!(unseal(b"a", &seal(b"b", b"x")), Err(Unsealed::Checksum));
    }

    #[test]
    fn a_newer_value_is_named_as_such() {
        let mut value = vec![2];
        value.extend_from_slice(&checksum(2, b"a", b"x").to_le_bytes());
        value.push(b'x');
        assert_eq!(unseal(b"a", &value), Err(Unsealed::Newer(2)));
    }
}
