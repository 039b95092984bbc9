//! What line mode shows by itself.

use super::*;
use crate::intent::interview::Interviewing;

#[test]
fn the_help_fits_and_names_every_word() {
    insta::assert_snapshot!(help::<Interviewing>(&Look::PLAIN), @"
    TEXT                   say it to the interviewer; //TEXT says /TEXT
    /begin                 start the clock of the first section
    /ask TEXT              ask the assistant what a thing is or how it behaves
    /ask --error TEXT      ask it what an error message means
    /ask --code FILE TEXT  ask it about your own code
    /submit [FILE]         submit a file, or the one that is watched
    /hint                  ask for a hint
    /done                  finish the section that is open
    /discussion            read how the problem can be solved, after the end
    /note TEXT             take a private note, as the interviewer
    /status                show where the session stands
    /quit                  leave; the session continues
    ");
}
