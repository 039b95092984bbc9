// The channel to the daemon, and what the candidate prints.
// Nothing here waits for more than one frame or keeps more than the ends of what is printed.

/**
 * Room for one text on its way out, used again and again: a program that prints without end would
 * else fill the memory faster than it is collected. `Buffer.from` is no help, since it looks up
 * methods that may be patched.
 */
class Scratch {
  constructor() {
    this.bytes = room(1 << 16);
    this.length = 0;
  }

  /** Holds a text in UTF-8. */
  utf8(text) {
    this.hold(byteLength(text, "utf8"));
    writeUtf8(this.bytes, text, 0, this.length);
    return this;
  }

  /** Holds the bytes of a text that has one character for each. */
  latin1(text) {
    this.hold(text.length);
    writeLatin1(this.bytes, text, 0, this.length);
    return this;
  }

  hold(length) {
    if (length > lengthOf(this.bytes)) this.bytes = room(length);
    this.length = length;
  }

  toString() {
    return utf8(this.bytes, 0, this.length);
  }
}

/** The channel: frames in, frames out. */
class Frames {
  constructor() {
    this.held = room(1 << 16);
    this.from = 0;
    this.to = 0;
    this.nonce = "";
    this.cases = 0;
  }

  next() {
    return parse(this.take(toNumber(this.take(SIZE_DIGITS))));
  }

  /** A text of so many bytes. */
  take(size) {
    if (this.from + size > lengthOf(this.held)) this.grow(size);
    const end = this.from + size;
    while (this.to < end) this.read();
    const text = utf8(this.held, this.from, end);
    this.from = end;
    return text;
  }

  /** Makes room for so many bytes from the first that is needed on. */
  grow(size) {
    const larger = room(size + (1 << 16));
    copyBytes(this.held, larger, 0, this.from, this.to);
    this.held = larger;
    this.to -= this.from;
    this.from = 0;
  }

  read() {
    let count;
    try {
      count = readSync(CHANNEL, this.held, this.to, lengthOf(this.held) - this.to, null);
    } catch {
      leave(1);
    }
    if (count === 0) leave(0);
    this.to += count;
  }

  send(body) {
    const { bytes, length } = scratch.utf8(`{"nonce":"${this.nonce}",${body}}\n`);
    let done = 0;
    while (done < length) {
      try {
        done += writeSync(CHANNEL, bytes, done, length - done, null);
      } catch (error) {
        // A closed channel ends everything; a full stack only the print that met it.
        if (hasOwn(error, "syscall")) leave(1);
        throw error;
      }
    }
  }
}

/** How many bytes at the end of a text of bytes begin a character that is not complete. */
function unfinished(bytes) {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = code(bytes, bytes.length - back);
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
  }
  return 0;
}

/** What is printed during one case: the head is sent at once, of the rest the tail is kept. */
class Prints {
  constructor() {
    this.seq = 0;
    this.bytes = 0;
    this.pending = "";
    this.tail = "";
  }

  start(seq) {
    this.seq = seq;
    this.bytes = 0;
    this.pending = "";
    this.tail = "";
  }

  take(data, length) {
    const left = HEAD_BYTES - this.bytes;
    this.bytes += length;
    const fits = left <= 0 ? 0 : left < length ? left : length;
    if (length > fits) {
      const late = length - TAIL_BYTES;
      this.tail += latin1(data, late > fits ? late : fits, length);
      // Not after each line: what is cut is copied.
      if (this.tail.length > TAIL_ROOM) this.tail = cut(this.tail, -TAIL_BYTES);
    }
    if (fits === 0) return;
    const bytes = this.pending + latin1(data, 0, fits);
    const whole = bytes.length - unfinished(bytes);
    this.pending = cut(bytes, whole);
    const text = scratch.latin1(cut(bytes, 0, whole)).toString();
    if (text !== "") frames.send(`"seq":${this.seq},"print":${quote(text)}`);
  }

  /** Describes what was not sent yet. */
  end() {
    let tail = cut(this.tail, -TAIL_BYTES);
    if (this.bytes <= HEAD_BYTES + TAIL_BYTES) {
      tail = this.pending + tail;
    } else {
      while (tail !== "" && (code(tail, 0) & 0xc0) === 0x80) tail = cut(tail, 1);
    }
    return `"prints":{"bytes":${this.bytes},"tail":${quote(scratch.latin1(tail).toString())}}`;
  }
}

/** `process.stdout` or `process.stderr` as the candidate's code sees it: it cannot be closed. */
class Tap extends stream.Writable {
  constructor(number) {
    super({ decodeStrings: false });
    this.fd = number;
  }

  write(chunk, encoding, callback) {
    const told = typeof encoding === "function" ? encoding : callback;
    if (typeof chunk === "string" && typeof encoding !== "string") {
      const { bytes, length } = scratch.utf8(chunk);
      prints.take(bytes, length);
    } else if (typeof chunk === "string" || isUint8Array(chunk)) {
      const data = typeof chunk === "string" ? encoded(chunk, encoding) : chunk;
      prints.take(data, lengthOf(data));
    } else {
      throw new TypeError("The chunk must be of type string or an instance of Uint8Array");
    }
    // Between calls no turn of the event loop comes, so that it would only pile up.
    if (typeof told === "function" && prints.seq === 0) nextTick(told);
    return true;
  }

  end(chunk, encoding, callback) {
    if (chunk !== undefined && chunk !== null && typeof chunk !== "function") {
      this.write(chunk, encoding, callback);
    }
    return this;
  }

  destroy() {
    return this;
  }
}
