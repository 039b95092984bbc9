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
    /submit --again        have the same code judged once more
    /test [FILE] --case C  run cases of your own on a file, or on the one that is
        watched
    /hint                  ask for a hint
    /result                show the last verdict again
    /problem               show the problem again
    /done                  finish the section that is open
    /code [N]              show the code of submission N, or of the last
    /report                read what the session teaches, after the end
    /discussion            read how the problem can be solved, after the end
    /note TEXT             take a private note, as the interviewer
    /status                show where the session stands
    /quit                  leave; the session continues
    ");
}
