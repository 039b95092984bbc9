"use strict";

/** Return the place of the first slip in a cue sheet, or -1 if there is none. */
function first_slip(text) {}

module.exports = { first_slip };
