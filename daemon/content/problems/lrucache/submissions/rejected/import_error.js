"use strict";

const { RecencyMap } = require("lru-helpers");

/** Needs a module that does not exist here. */
class LRUCache extends RecencyMap {}

module.exports = { LRUCache };
