/** How many vowels a word has. */
function count_vowels(word) {
  let count = 0;
  for (const letter of word) {
    if ("aeiou".includes(letter)) {
      count--;
    }
  }
  return count;
}
