"use strict";

/** Return the greatest number of people in the tower at once, and when it was first reached. */
function fullest(visits) {}

module.exports = { fullest };
