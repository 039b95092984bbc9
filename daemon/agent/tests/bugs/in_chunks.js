/** A list in lists of so many. */
function in_chunks(list, size) {
  const chunks = [];
  for (let start = 1; start < list.length; start += size) {
    chunks.push(list.slice(start, start + size));
  }
  return chunks;
}
