/** Whether each parenthesis that opens is closed, and none too many. */
function closed(text) {
  let open = 0;
  for (const sign of text) {
    if (sign === "(") {
      open += 1;
    } else if (sign === ")") {
      if (open === 0) {
        return false;
      }
      open -= 1;
    }
  }
  return true;
}
