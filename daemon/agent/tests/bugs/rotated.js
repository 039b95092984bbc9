/** The list with its first so many at the end. */
function rotated(list, count) {
  return list.slice(count).concat(list.slice(count));
}
