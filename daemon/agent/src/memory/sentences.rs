//! Vectors of a sentence model that runs in this process, from two files that a person names. `vosimd` is
//! built with it by the feature `sentences`; nothing is ever fetched.

use std::path::PathBuf;

use super::embedder::{EmbedFault, Embedder, EmbedderId, Vector};

#[cfg(any(test, feature = "sentences"))]
mod files;
#[cfg(feature = "sentences")]
mod model;

/// The files of a sentence model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentenceFiles {
    /// The model as ONNX, such as all-MiniLM-L6-v2 in whole numbers of eight bits.
    pub model: PathBuf,
    /// Its `vocab.txt`, or its `tokenizer.json`.
    pub vocabulary: PathBuf,
}

/// The embedder of these files; where they are of no use, one that says why. Reads them: blocks.
pub fn sentences(files: &SentenceFiles) -> Box<dyn Embedder> {
    open(files).unwrap_or_else(|fault| no_vectors("the sentence model", fault.0))
}

#[cfg(feature = "sentences")]
fn open(files: &SentenceFiles) -> Result<Box<dyn Embedder>, EmbedFault> {
    Ok(Box::new(model::SentenceModel::open(&files.model, &files.vocabulary)?))
}

#[cfg(not(feature = "sentences"))]
fn open(_: &SentenceFiles) -> Result<Box<dyn Embedder>, EmbedFault> {
    Err(EmbedFault("this vosimd was built without the feature `sentences`".to_owned()))
}

/// An embedder that gives nothing for this reason: memory says so and compares words (002 7.3).
pub fn no_vectors(name: &str, why: String) -> Box<dyn Embedder> {
    Box::new(NoVectors { id: EmbedderId(name.to_owned()), fault: EmbedFault(why) })
}

#[derive(Debug)]
struct NoVectors {
    id: EmbedderId,
    fault: EmbedFault,
}

impl Embedder for NoVectors {
    fn id(&self) -> &EmbedderId {
        &self.id
    }

    fn embed(&mut self, _: &[&str]) -> Result<Vec<Vector>, EmbedFault> {
        Err(self.fault.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_of_no_use_make_an_embedder_that_says_why() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("vocab.txt"), "[UNK]\n[CLS]\n[SEP]\n").unwrap();
        std::fs::write(path("model.onnx"), "no model").unwrap();
        for (model, vocabulary) in
            [("model.onnx", "vocab.txt"), ("none.onnx", "vocab.txt"), ("model.onnx", "none.txt")]
        {
            let files = SentenceFiles { model: path(model), vocabulary: path(vocabulary) };
            let mut embedder = sentences(&files);
            assert_eq!(embedder.id().to_string(), "the sentence model");
            let told = embedder.embed(&["a"]).unwrap_err().to_string();
            let expected = match cfg!(feature = "sentences") {
                true if model.starts_with("none") => "none.onnx cannot be read",
                true if vocabulary.starts_with("none") => "none.txt cannot be read",
                true => "is no model that can be run",
                false => "was built without the feature `sentences`",
            };
            assert!(told.contains(expected), "{told}");
        }
    }
}
