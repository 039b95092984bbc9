/** JavaScript is run as it stands. */
function plain(source) {
  return source;
}
