/** How often each word occurs. */
function tally(words) {
  const counts = {};
  for (const word of words) {
    counts[word] = counts[word] + 1;
  }
  return counts;
}
