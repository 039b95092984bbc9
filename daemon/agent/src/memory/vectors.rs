//! The vectors of what is kept, and their comparison with what is asked for.
//!
//! Every entry has vectors of the built-in embedder. Another one that is configured is used as far as
//! it has come; what has none of its vectors yet, or what it fails at, is compared by the built-in
//! one. Scores mean the same with both, so their results stand in one order.

use std::collections::BTreeMap;

use super::cached::Cached;
use super::degraded::Degraded;
use super::embedder::{Embedder, EmbedderId, Scale, Score, Subject, Vector};
use super::fitting::fit;
use super::hashed::Hashed;
use super::words::cut;

/// What an entry is found by: the vectors of its texts, by whose they are.
pub(super) type Vectors = BTreeMap<EmbedderId, Vec<Vector>>;

/// What can be found.
pub(super) trait Findable {
    /// What its vectors are made of, one of each.
    fn texts(&self) -> Vec<String>;
    fn vectors(&mut self) -> &mut Vectors;
}

/// The most bytes of what is asked for that are looked at.
const ASKED_MAX: usize = 16 * 1024;

/// How many entries get vectors of a configured embedder at a time.
const AT_ONCE: usize = 16;

/// The embedders that are in use.
#[derive(Debug)]
pub(super) struct Embedders {
    built_in: Hashed,
    configured: Option<Cached>,
    /// Of embedders that say nothing of their scales themselves.
    pub(super) measured: BTreeMap<EmbedderId, Scale>,
}

/// What is asked for.
#[derive(Debug)]
pub(super) struct Query {
    /// Whose vector it is, on which scale it lies; the first that an entry has one of is compared.
    asked: Vec<(EmbedderId, Scale, Vector)>,
}

impl Embedders {
    pub(super) fn new(configured: Option<Box<dyn Embedder>>) -> Self {
        let configured = configured.map(Cached::new);
        Self { built_in: Hashed::default(), configured, measured: BTreeMap::new() }
    }

    fn are_in_use(&self, id: &EmbedderId) -> bool {
        let configured = self.configured.as_ref().map(Embedder::id);
        id == self.built_in.id() || Some(id) == configured
    }

    /// Makes a vector of what is asked for, and says if the configured embedder made none.
    pub(super) fn query(&mut self, text: &str) -> (Query, Option<Degraded>) {
        let text = &cut(text.to_owned(), ASKED_MAX);
        let built_in = self.built_in.vector(text);
        let mut asked = vec![(self.built_in.id().clone(), Hashed::SCALE, built_in)];
        let mut degraded = None;
        if let Some(embedder) = &mut self.configured
            && let Some(scale) = scale_of(embedder, &self.measured)
        {
            let id = embedder.id().clone();
            match embedder.embed(&[text]) {
                Ok(vectors) => {
                    let vectors = vectors.into_iter().map(|vector| (id.clone(), scale, vector));
                    asked.splice(0..0, vectors);
                }
                Err(fault) => degraded = Some(Degraded::NoVectors { embedder: id, fault }),
            }
        }
        (Query { asked }, degraded)
    }

    /// Gives an entry its vectors of the built-in embedder and takes those of others that are no
    /// longer in use; returns whether it had to.
    pub(super) fn give(&self, entry: &mut dyn Findable) -> bool {
        let before = entry.vectors().len();
        entry.vectors().retain(|id, _| self.are_in_use(id));
        let dropped = entry.vectors().len() < before;
        let id = self.built_in.id();
        let given = !entry.vectors().contains_key(id);
        if given {
            let made = entry.texts().iter().map(|text| self.built_in.vector(text)).collect();
            entry.vectors().insert(id.clone(), made);
        }
        given || dropped
    }

    /// Measures the configured embedder, or gives some entries its vectors; returns whether it did
    /// anything, after which there may be more to do.
    pub(super) fn catch_up<'a>(
        &mut self,
        entries: impl Iterator<Item = &'a mut dyn Findable>,
    ) -> Result<bool, Degraded> {
        let Some(embedder) = &mut self.configured else { return Ok(false) };
        let id = embedder.id().clone();
        let no_vectors = |fault| Degraded::NoVectors { embedder: id.clone(), fault };
        if scale_of(embedder, &self.measured).is_none() {
            let scale = fit(embedder).map_err(no_vectors)?;
            self.measured.insert(id, scale);
            return Ok(true);
        }
        let behind = entries.filter_map(|entry| {
            let behind = !entry.vectors().contains_key(&id);
            behind.then(|| (entry.texts(), entry))
        });
        let some: Vec<_> = behind.take(AT_ONCE).collect();
        let texts: Vec<_> = some.iter().flat_map(|(texts, _)| texts).map(String::as_str).collect();
        if texts.is_empty() {
            return Ok(false);
        }
        let mut made = embedder.embed(&texts).map_err(no_vectors)?.into_iter();
        for (texts, entry) in some {
            entry.vectors().insert(id.clone(), made.by_ref().take(texts.len()).collect());
        }
        Ok(true)
    }
}

fn scale_of(embedder: &Cached, measured: &BTreeMap<EmbedderId, Scale>) -> Option<Scale> {
    embedder.scale().or_else(|| measured.get(embedder.id()).copied())
}

impl Query {
    /// How similar an entry is; never by vectors of different embedders.
    pub(super) fn score(&self, vectors: &Vectors, subject: Subject) -> Score {
        let comparable = |(id, scale, asked): &(EmbedderId, Scale, Vector)| {
            let nearest = vectors.get(id)?.iter().map(|kept| asked.cosine(kept));
            Some(scale.score(nearest.fold(-1.0, f64::max), subject))
        };
        self.asked.iter().find_map(comparable).unwrap_or(Score(0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::embedder::EmbedFault;
    use super::*;

    /// Makes vectors on which every text is like every other, and can fail.
    #[derive(Debug)]
    struct Alike {
        id: EmbedderId,
        works: bool,
    }

    impl Embedder for Alike {
        fn id(&self) -> &EmbedderId {
            &self.id
        }

        fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vector>, EmbedFault> {
            let fault = EmbedFault("no answer".to_owned());
            self.works.then(|| vec![Vector::from_counts(&[1]); texts.len()]).ok_or(fault)
        }

        fn scale(&self) -> Option<Scale> {
            Some(Scale { failures: 0.5, tasks: 0.5 })
        }
    }

    fn alike(works: bool) -> Embedders {
        Embedders::new(Some(Box::new(Alike { id: EmbedderId("alike".to_owned()), works })))
    }

    struct Kept {
        text: &'static str,
        vectors: Vectors,
    }

    impl Findable for Kept {
        fn texts(&self) -> Vec<String> {
            vec![self.text.to_owned(), self.text.to_owned()]
        }

        fn vectors(&mut self) -> &mut Vectors {
            &mut self.vectors
        }
    }

    fn kept(embedders: &Embedders) -> Kept {
        let mut kept = Kept { text: "Sort names", vectors: Vectors::new() };
        assert!(embedders.give(&mut kept));
        assert!(!embedders.give(&mut kept), "once is enough");
        kept
    }

    fn catch_up(embedders: &mut Embedders, all: &mut [Kept]) -> Result<bool, Degraded> {
        embedders.catch_up(all.iter_mut().map(|kept| kept as &mut dyn Findable))
    }

    fn score(embedders: &mut Embedders, text: &str, kept: &Kept) -> u8 {
        embedders.query(text).0.score(&kept.vectors, Subject::Tasks).0
    }

    #[test]
    fn an_entry_is_compared_by_its_words_until_it_has_other_vectors() {
        let mut embedders = alike(true);
        let mut kept = [kept(&embedders)];
        assert!(score(&mut embedders, "Play chess", &kept[0]) < 70);
        assert_eq!(catch_up(&mut embedders, &mut kept), Ok(true));
        assert_eq!(score(&mut embedders, "Play chess", &kept[0]), 100);
        assert_eq!(catch_up(&mut embedders, &mut kept), Ok(false));
    }

    #[test]
    fn a_fault_is_said_and_words_are_compared() {
        let mut embedders = alike(false);
        let mut kept = [kept(&embedders)];
        let (query, degraded) = embedders.query("Sort names");
        assert_eq!(query.score(&kept[0].vectors, Subject::Tasks), Score(100));
        let said = "alike gives no vectors (no answer); earlier tasks are compared by their words";
        assert_eq!(degraded.unwrap().to_string(), said);
        assert!(catch_up(&mut embedders, &mut kept).is_err());
    }

    #[test]
    fn vectors_of_an_embedder_that_is_gone_are_dropped_and_never_compared() {
        let mut with = alike(true);
        let mut kept = [kept(&with)];
        catch_up(&mut with, &mut kept).unwrap();
        let [mut kept] = kept;
        let mut without = Embedders::new(None);
        assert!(score(&mut without, "Play chess", &kept) < 70);
        assert!(without.give(&mut kept));
        assert_eq!(kept.vectors.len(), 1);
        kept.vectors.clear();
        assert_eq!(score(&mut without, "Sort names", &kept), 0, "nothing is known of it");
    }

    #[test]
    fn many_entries_catch_up_in_turns() {
        let mut embedders = alike(true);
        let mut all: Vec<_> = (0..=2 * AT_ONCE).map(|_| kept(&embedders)).collect();
        let mut turns = 0;
        while catch_up(&mut embedders, &mut all).unwrap() {
            turns += 1;
        }
        assert_eq!(turns, 3);
        let vectors = all.iter().flat_map(|kept| kept.vectors.values());
        assert!(vectors.map(Vec::len).all(|count| count == 2));
    }
}
