const { stripTypeScriptTypes } = library;
// What takes types away is made at its first use; a driver that waits has done it by then.
stripTypeScriptTypes("let one: number");

/** What is left of TypeScript without its types, each sign in its place. */
function plain(source) {
  try {
    return stripTypeScriptTypes(source);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Node names the line before all else; the rest of this text is made of the file.
    const line = /^[^\n]*:(\d+)\n/u.exec(error.stack);
    const told = new SyntaxError(error.message);
    told.stack = `${program.file}:${line === null ? "?" : line[1]}\n`;
    throw new Unreadable(told);
  }
}
