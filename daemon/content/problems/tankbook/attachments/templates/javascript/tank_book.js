"use strict";

/** Return how many spans of at least `least` days have the total `target`. */
function count_spans(changes, target, least) {}

module.exports = { count_spans };
