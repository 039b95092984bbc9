//! An embedder that is not asked twice for the same text (002 5.3).

use std::collections::{BTreeMap, HashMap};

use super::embedder::{EmbedFault, Embedder, EmbedderId, Scale, Vector};

const TEXTS_MAX: usize = 1_000;

/// Keeps the vectors of the texts that were asked for last.
#[derive(Debug)]
pub(super) struct Cached {
    embedder: Box<dyn Embedder>,
    vectors: HashMap<String, (u64, Vector)>,
    /// The texts by when they were last asked for.
    order: BTreeMap<u64, String>,
    turn: u64,
}

impl Cached {
    pub(super) fn new(embedder: Box<dyn Embedder>) -> Self {
        Self { embedder, vectors: HashMap::new(), order: BTreeMap::new(), turn: 0 }
    }

    fn known(&mut self, text: &str) -> Option<Vector> {
        let (turn, vector) = self.vectors.get_mut(text)?;
        self.turn += 1;
        self.order.remove(turn);
        self.order.insert(self.turn, text.to_owned());
        *turn = self.turn;
        Some(vector.clone())
    }

    fn keep(&mut self, text: &str, vector: Vector) {
        self.turn += 1;
        self.vectors.insert(text.to_owned(), (self.turn, vector));
        self.order.insert(self.turn, text.to_owned());
        if self.order.len() > TEXTS_MAX
            && let Some((_, oldest)) = self.order.pop_first()
        {
            self.vectors.remove(&oldest);
        }
    }
}

impl Embedder for Cached {
    fn id(&self) -> &EmbedderId {
        self.embedder.id()
    }

    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vector>, EmbedFault> {
        let mut unknown: Vec<_> =
            texts.iter().copied().filter(|text| !self.vectors.contains_key(*text)).collect();
        unknown.sort_unstable();
        unknown.dedup();
        let mut made = HashMap::new();
        if !unknown.is_empty() {
            let vectors = self.embedder.embed(&unknown)?;
            if vectors.len() != unknown.len() {
                let (got, asked) = (vectors.len(), unknown.len());
                return Err(EmbedFault(format!("{asked} texts were given, {got} vectors came")));
            }
            made.extend(unknown.into_iter().zip(vectors));
        }
        let mut found = Vec::new();
        for text in texts {
            let vector = match made.get(text) {
                Some(vector) => vector.clone(),
                None => self.known(text).ok_or_else(|| EmbedFault("no vector came".to_owned()))?,
            };
            found.push(vector);
        }
        for (text, vector) in made {
            self.keep(text, vector);
        }
        Ok(found)
    }

    fn scale(&self) -> Option<Scale> {
        self.embedder.scale()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// Notes what it is asked for.
    #[derive(Debug)]
    struct Asked {
        id: EmbedderId,
        texts: Arc<Mutex<Vec<String>>>,
        short_by: usize,
    }

    impl Embedder for Asked {
        fn id(&self) -> &EmbedderId {
            &self.id
        }

        fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vector>, EmbedFault> {
            let mut asked = self.texts.lock().unwrap();
            asked.extend(texts.iter().map(|&text| text.to_owned()));
            let of = |text: &&str| Vector::from_counts(&[i32::try_from(text.len()).unwrap(), 1]);
            Ok(texts.iter().skip(self.short_by).map(of).collect())
        }
    }

    fn cached(short_by: usize) -> (Cached, Arc<Mutex<Vec<String>>>) {
        let texts = Arc::<Mutex<Vec<_>>>::default();
        let id = EmbedderId("asked".to_owned());
        (Cached::new(Box::new(Asked { id, texts: Arc::clone(&texts), short_by })), texts)
    }

    #[test]
    fn a_text_is_asked_for_once_and_answers_keep_their_order() {
        let (mut cached, asked) = cached(0);
        let first = cached.embed(&["bb", "a", "bb"]).unwrap();
        assert_eq!(first[0], first[2]);
        assert_ne!(first[0], first[1]);
        assert_eq!(cached.embed(&["a", "ccc", "bb"]).unwrap()[2], first[0]);
        assert_eq!(*asked.lock().unwrap(), ["a", "bb", "ccc"]);
    }

    #[test]
    fn a_thousand_texts_are_kept_and_the_one_unused_longest_goes() {
        let (mut cached, asked) = cached(0);
        for number in 0..TEXTS_MAX {
            cached.embed(&[&number.to_string()]).unwrap();
        }
        cached.embed(&["0"]).unwrap();
        cached.embed(&["new"]).unwrap();
        asked.lock().unwrap().clear();
        cached.embed(&["0", "2", "1"]).unwrap();
        assert_eq!(*asked.lock().unwrap(), ["1"]);
        assert_eq!((cached.vectors.len(), cached.order.len()), (TEXTS_MAX, TEXTS_MAX));
    }

    #[test]
    fn too_few_vectors_are_a_fault() {
        let (mut cached, _) = cached(1);
        let fault = cached.embed(&["a", "b"]).unwrap_err();
        assert_eq!(fault.to_string(), "2 texts were given, 1 vectors came");
    }
}
