"use strict";

/** Return the smallest sum for which passes cover all visits; -1 if there are no passes. */
function pass_costs(visits, kinds, free_every) {}

module.exports = { pass_costs };
