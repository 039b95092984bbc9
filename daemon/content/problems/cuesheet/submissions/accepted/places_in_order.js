"use strict";

const TOKEN = /"[^"]*("|$)|[+-][a-z]/g;

/** A string of letters is the stack; a table keeps the places. */
function first_slip(text) {
  let running = "";
  const begun = {};
  for (const token of text.matchAll(TOKEN)) {
    const [sign, letter] = token[0];
    if (sign === '"') {
      if (token[1] === "") return token.index;
    } else if (sign === "+") {
      if (running.includes(letter)) return token.index;
      running += letter;
      begun[letter] = token.index;
    } else {
      if (!running.endsWith(letter)) return token.index;
      running = running.slice(0, -1);
    }
  }
  return running === "" ? -1 : begun[running.at(-1)];
}

module.exports = { first_slip };
