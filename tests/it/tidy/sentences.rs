//! The table of sentences holds nothing that nobody says.
//!
//! That a sentence which is said stands in the table, with just its values, is checked while
//! `phrase!` is compiled.

use vosim_protocol::v1::sentences::table;

use super::rust_files;

#[test]
fn every_sentence_of_the_table_is_said_somewhere() {
    let squeezed = |(_, text): (_, String)| text.split_whitespace().collect::<String>();
    let sources: Vec<_> = rust_files().into_iter().map(squeezed).collect();
    for (key, sentence) in table() {
        let said = format!("phrase!(\"{key}\"");
        assert!(sources.iter().any(|text| text.contains(&said)), "nobody says {key}: {sentence}");
    }
}
