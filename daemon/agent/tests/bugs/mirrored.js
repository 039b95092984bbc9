/** Whether a text reads the same in both directions. */
function mirrored(text) {
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== text[text.length - at]) {
      return false;
    }
  }
  return true;
}
