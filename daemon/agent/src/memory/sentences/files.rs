//! What a sentence model is made of, and what is made of its answer: all that needs no weights.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::super::embedder::{EmbedFault, Vector};

/// The bytes of a file, at most so many.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>, EmbedFault> {
    let failed = |why: String| EmbedFault(format!("{} cannot be read: {why}", path.display()));
    let told = |error: std::io::Error| failed(vosim_protocol::trouble::cause(&error));
    let file = File::open(path).map_err(told)?;
    if !file.metadata().map_err(told)?.is_file() {
        return Err(failed("it is no file".to_owned()));
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(told)?;
    if bytes.len() as u64 > most {
        return Err(failed(format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// The direction of a text: the mean of the directions of its parts, which stand one after the other.
pub(super) fn pooled(numbers: &[f32], width: usize) -> Result<Vector, EmbedFault> {
    let none = || EmbedFault("the sentence model gives no direction".to_owned());
    if width == 0 || !numbers.len().is_multiple_of(width) {
        return Err(none());
    }
    let mut sum = vec![0.0; width];
    for part in numbers.chunks_exact(width) {
        sum.iter_mut().zip(part).for_each(|(sum, number)| *sum += number);
    }
    Vector::from_floats(&sum).ok_or_else(none)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_text_come_together_in_one_direction() {
        let of = |numbers: &[f32]| Vector::from_floats(numbers).unwrap();
        assert_eq!(pooled(&[1.0, 0.0, 0.0, 1.0], 2), Ok(of(&[1.0, 1.0])));
        assert_eq!(pooled(&[1.0, 2.0], 2), Ok(of(&[1.0, 2.0])), "one for the whole text");
        for (numbers, width) in
            [(&[][..], 2), (&[1.0], 0), (&[1.0, 2.0, 3.0], 2), (&[1.0, -1.0], 1), (&[f32::NAN], 1)]
        {
            let told = pooled(numbers, width).unwrap_err().to_string();
            assert_eq!(told, "the sentence model gives no direction", "{numbers:?} {width}");
        }
    }

    #[test]
    fn what_is_no_file_or_too_large_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("model.onnx");
        std::fs::write(&file, "12345").unwrap();
        assert_eq!(read(&file, 5), Ok(b"12345".to_vec()));
        let told = |path: &Path, most| read(path, most).unwrap_err().to_string();
        assert!(told(&file, 4).ends_with("model.onnx cannot be read: it has more than 4 bytes"));
        assert!(told(dir.path(), 4).ends_with("cannot be read: it is no file"));
        assert!(told(&dir.path().join("none"), 4).contains("none cannot be read: "));
    }
}
