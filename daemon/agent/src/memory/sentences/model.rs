//! The model itself, which `rten` runs.

use std::fmt;
use std::path::Path;

use rten::{Model, NodeId, ValueOrView};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, Tensor};
use sha2::{Digest as _, Sha256};

use super::super::embedder::{EmbedFault, Embedder, EmbedderId, Vector};
use super::super::wordpiece::Wordpiece;
use super::files::{pooled, read};

/// A larger model is none for sentences.
const MODEL_MAX_BYTES: u64 = 1 << 30;
const VOCABULARY_MAX_BYTES: u64 = 16 << 20;

/// What such models were trained with: more of a text is not looked at.
const TOKENS_MAX: usize = 256;

/// A model that has been read.
pub(super) struct SentenceModel {
    id: EmbedderId,
    words: Wordpiece,
    model: Model,
    output: NodeId,
}

impl fmt::Debug for SentenceModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SentenceModel").field("id", &self.id).finish_non_exhaustive()
    }
}

impl SentenceModel {
    pub(super) fn open(model: &Path, vocabulary: &Path) -> Result<Self, EmbedFault> {
        let path = model.display();
        let bytes = read(model, MODEL_MAX_BYTES)?;
        let vocabulary = read(vocabulary, VOCABULARY_MAX_BYTES)?;
        let words = Wordpiece::read(&String::from_utf8_lossy(&vocabulary))?;
        let hash = Sha256::new().chain_update(&bytes).chain_update(&vocabulary).finalize();
        let hash: String = hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        let id = EmbedderId(format!("sentences-1-{hash}"));
        let model = Model::load(bytes)
            .map_err(|error| EmbedFault(format!("{path} is no model that can be run: {error}")))?;
        let output = model.output_ids().first().copied();
        let output = output.filter(|_| model.find_node("input_ids").is_some());
        let output =
            output.ok_or_else(|| EmbedFault(format!("{path} is no model that takes words in")))?;
        Ok(Self { id, words, model, output })
    }

    fn vector(&self, text: &str) -> Result<Vector, EmbedFault> {
        let failed = |why: String| EmbedFault(format!("the sentence model failed: {why}"));
        let numbers = self.words.numbers(text, TOKENS_MAX);
        let count = numbers.len();
        let told = [
            ("input_ids", numbers),
            ("attention_mask", vec![1; count]),
            ("token_type_ids", vec![0; count]),
        ];
        let mut inputs: Vec<(NodeId, ValueOrView<'_>)> = Vec::new();
        for (name, numbers) in told {
            let tensor = NdTensor::<i32, 2>::from_data([1, count], numbers);
            // Not every model asks for all of them.
            inputs.extend(self.model.find_node(name).map(|node| (node, tensor.into())));
        }
        let outputs = self.model.run_n(inputs, [self.output], None);
        let [output] = outputs.map_err(|error| failed(error.to_string()))?;
        let output: Tensor<f32> = output.try_into().map_err(|_| failed("no numbers".to_owned()))?;
        // One row for each part of the text, or one for the whole.
        let width = output.shape().last().copied().unwrap_or(0);
        pooled(&output.to_vec(), width)
    }
}

impl Embedder for SentenceModel {
    fn id(&self) -> &EmbedderId {
        &self.id
    }

    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vector>, EmbedFault> {
        texts.iter().map(|text| self.vector(text)).collect()
    }
}
