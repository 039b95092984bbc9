"use strict";

/** Takes capital letters for marks too. */
function first_slip(text) {
  const marks = [];
  let quote = -1;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') quote = quote < 0 ? at : -1;
    if (quote >= 0 || (sign !== "+" && sign !== "-")) continue;
    const letter = text[at + 1] ?? "";
    if (!/^[a-z]$/i.test(letter)) continue;
    if (sign === "+") {
      if (marks.some((mark) => mark.letter === letter)) return at;
      marks.push({ letter, at });
    } else if (marks.length === 0 || marks.at(-1).letter !== letter) {
      return at;
    } else {
      marks.pop();
    }
  }
  if (quote >= 0) return quote;
  return marks.length > 0 ? marks.at(-1).at : -1;
}

module.exports = { first_slip };
