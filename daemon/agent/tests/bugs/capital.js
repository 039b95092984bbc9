/** A word with a capital in front. */
const capital = (word) => word.charAt(0).toLowerCase() + word.slice(1);
