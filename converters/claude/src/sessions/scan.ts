/**
 * Finds in the bytes of one record what the index needs, without parsing it: a record's bulk lies in strings
 * that are only stepped over. Whatever is not plain (escapes in a key, a value of an unexpected kind) makes
 * `scan` give up, and `headOf` does the same from the parsed value.
 */
import { Head } from "./head.js";
import { flag, isLiteral, kindNamed, promptFlag, timeOf, unescaped } from "./kinds.js";
import { Repeated } from "./repeated.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** A string up to here may be one that is kept. */
const SHORT = 64;

/** How a record may end: from `userType` on, record after record of a session is the same. */
interface Tail {
  bytes: Uint8Array;
  cwd: string | undefined;
  version: string | undefined;
  branch: string | undefined;
  sessionId: string | undefined;
}

/** Longer ones are not worth remembering. */
const LONGEST_TAIL = 2048;

/** The objects inside a record that are looked into. */
const MESSAGE = 0;
const BLOCK = 1;
const ATTACHMENT = 2;

export class Scanner {
  readonly head = new Head();
  #bytes: Buffer = Buffer.alloc(0);
  #line: string | undefined;
  #to = 0;
  /** Where the string begins that was stepped over last; `#plain`: it is short and of ASCII without escapes. */
  #from = 0;
  #plain = true;
  readonly #cwd = new Repeated();
  readonly #version = new Repeated();
  readonly #branch = new Repeated();
  readonly #session = new Repeated();
  readonly #model = new Repeated();
  readonly #typeName = new Repeated();
  readonly #group = new Repeated();
  #tail: Tail | undefined;
  /** Where the tail of this record begins, if it is another one; and how long the one was that was not known last. */
  #tailFrom = -1;
  #unknownTail = 0;
  /** Of the block at hand: its kind, and where its text lies. */
  #block = 0;
  #textFrom = -1;
  /** The longest text of the record so far. */
  #longFrom = 0;
  #longTo = 0;
  #textEnd = -1;

  /**
   * True if `bytes[from, to)` is one JSON object as far as its outline goes; then `head` tells of it.
   * @param line the same bytes as a string of one byte a character: searching that costs less than bytes.
   */
  scan(bytes: Buffer, line: string | undefined, from: number, to: number): boolean {
    const { head } = this;
    head.reset();
    head.bytes = bytes;
    this.#bytes = bytes;
    this.#line = line;
    this.#to = to;
    this.#tailFrom = -1;
    this.#longFrom = 0;
    this.#longTo = 0;
    let at = this.#blank(from);
    if (at >= to || bytes[at] !== OPEN_OBJECT) return false;
    at = this.#blank(at + 1);
    if (bytes[at] === CLOSE_OBJECT) return this.#blank(at + 1) === to;
    for (;;) {
      if (at >= to || bytes[at] !== QUOTE) return false;
      const keyFrom = at + 1;
      const keyEnd = this.#string(keyFrom);
      if (keyEnd === -1 || !this.#plain) return false;
      at = this.#blank(keyEnd + 1);
      if (bytes[at] !== COLON) return false;
      at = this.#field(keyFrom, keyEnd - keyFrom, this.#blank(at + 1));
      if (at === -1) return false;
      at = this.#blank(at);
      if (bytes[at] === COMMA) at = this.#blank(at + 1);
      else if (bytes[at] !== CLOSE_OBJECT || this.#blank(at + 1) !== to) return false;
      else {
        if (this.#tailFrom !== -1) this.#learnTail();
        return true;
      }
    }
  }

  /** If the record goes on from `at` as an earlier one did, what that said holds for this one too. */
  #knownTail(at: number): boolean {
    const length = this.#to - at;
    const tail = this.#tail;
    if (!tail || tail.bytes.length !== length) return false;
    const bytes = this.#bytes;
    const own = tail.bytes;
    for (let i = 0; i < length; i++) if (own[i] !== bytes[at + i]) return false;
    const { head } = this;
    head.cwd = tail.cwd ?? head.cwd;
    head.version = tail.version ?? head.version;
    head.branch = tail.branch ?? head.branch;
    head.sessionId = tail.sessionId ?? head.sessionId;
    return true;
  }

  /** Remembers this record's tail when it is met for the second time, and says nothing else of the record. */
  #learnTail(): void {
    const from = this.#tailFrom;
    const length = this.#to - from;
    const again = length === this.#unknownTail;
    this.#unknownTail = length;
    if (!again || length > LONGEST_TAIL) return;
    const bytes = Buffer.concat([Buffer.from("{"), this.#bytes.subarray(from, this.#to)]);
    const alone = new Scanner();
    if (!alone.scan(bytes, undefined, 0, bytes.length)) return;
    const { cwd, version, branch, sessionId, ...rest } = alone.head;
    const nothing = new Head();
    const silent = Object.entries(rest).every(
      ([key, value]) => key === "bytes" || Object.is(value, nothing[key as keyof Head]),
    );
    if (silent) this.#tail = { bytes: bytes.subarray(1), cwd, version, branch, sessionId };
  }

  /** A top-level key and its value at `at`. Returns one past the value, or -1. */
  #field(key: number, length: number, at: number): number {
    const { head } = this;
    const first = this.#bytes[key] as number;
    switch (length) {
      case 3: // cwd
        if (first === 0x63 && this.#is(key, "cwd")) {
          const end = this.#text(at);
          if (end > 0) head.cwd = this.#cwd.of(this.#bytes, this.#from, end - 1, this.#plain);
          return end === 0 ? this.#value(at) : end;
        }
        break;
      case 4: // type, uuid
        if (first === 0x74 && this.#is(key, "type")) {
          const end = this.#text(at);
          if (end > 0) {
            head.type = this.#typeName.of(this.#bytes, this.#from, end - 1, this.#plain);
            head.kind = kindNamed(head.type);
          }
          return end === 0 ? this.#value(at) : end;
        }
        if (first === 0x75 && this.#is(key, "uuid")) {
          const end = this.#text(at);
          if (end > 0 && !this.#plain) return -1;
          head.uuidFrom = end > 0 ? this.#from : -1;
          head.uuidTo = end - 1;
          return end === 0 ? this.#value(at) : end;
        }
        break;
      case 6: // isMeta
        if (first === 0x69 && this.#is(key, "isMeta")) return this.#truth(at, flag.meta);
        break;
      case 7: // message, subtype, version, agentId
        if (first === 0x6d && this.#is(key, "message")) return this.#object(at, MESSAGE);
        if (first === 0x73 && this.#is(key, "subtype")) {
          const end = this.#text(at);
          if (end > 0) {
            if (this.#isText(end, "compact_boundary")) head.flags |= flag.boundary;
            else if (this.#isText(end, "local_command")) head.flags |= flag.localCommand;
          }
          return end === 0 ? this.#value(at) : end;
        }
        if (first === 0x76 && this.#is(key, "version")) {
          const end = this.#text(at);
          if (end > 0) head.version = this.#version.of(this.#bytes, this.#from, end - 1, this.#plain);
          return end === 0 ? this.#value(at) : end;
        }
        if (first === 0x61 && this.#is(key, "agentId")) {
          const end = this.#text(at);
          if (end > 0) head.agentId = this.#own(end);
          return end === 0 ? this.#value(at) : end;
        }
        break;
      case 8: // userType, leafUuid, explicit
        if (first === 0x75 && this.#is(key, "userType")) {
          if (this.#knownTail(key - 1)) return this.#to - 1;
          this.#tailFrom = key - 1;
          break;
        }
        if (first === 0x6c && this.#is(key, "leafUuid")) {
          const end = this.#text(at);
          if (end > 0) head.leaf = this.#own(end);
          return end === 0 ? this.#value(at) : end;
        }
        if (first === 0x65 && this.#is(key, "explicit")) return this.#truth(at, flag.explicit);
        break;
      case 9: // timestamp, sessionId, gitBranch
        if (first === 0x74 && this.#is(key, "timestamp")) {
          const end = this.#text(at);
          if (end > 0) head.time = timeOf(this.#bytes, this.#from, end - 1);
          return end === 0 ? this.#value(at) : end;
        }
        if (first === 0x73 && this.#is(key, "sessionId")) {
          const end = this.#text(at);
          if (end > 0) head.sessionId = this.#session.of(this.#bytes, this.#from, end - 1, this.#plain);
          return end === 0 ? this.#value(at) : end;
        }
        if (first === 0x67 && this.#is(key, "gitBranch")) {
          const end = this.#text(at);
          if (end > 0) head.branch = this.#branch.of(this.#bytes, this.#from, end - 1, this.#plain);
          return end === 0 ? this.#value(at) : end;
        }
        break;
      case 10: // parentUuid, attachment, lastPrompt
        if (first === 0x6c && this.#is(key, "lastPrompt") && this.#bytes[at] === QUOTE) {
          head.flags |= flag.words;
          break;
        }
        if (first === 0x70 && this.#is(key, "parentUuid")) {
          const end = this.#text(at);
          if (end > 0 && !this.#plain) return -1;
          head.parentFrom = end > 0 ? this.#from : -1;
          head.parentTo = end - 1;
          return end === 0 ? this.#value(at) : end;
        }
        if (first === 0x61 && this.#is(key, "attachment")) return this.#object(at, ATTACHMENT);
        break;
      case 11: // isSidechain
        if (first === 0x69 && this.#is(key, "isSidechain")) return this.#truth(at, flag.sidechain);
        break;
      case 16: // isCompactSummary
        if (first === 0x69 && this.#is(key, "isCompactSummary")) return this.#truth(at, flag.summary);
        break;
      case 17: // isApiErrorMessage, logicalParentUuid
        if (first === 0x69 && this.#is(key, "isApiErrorMessage")) return this.#truth(at, flag.apiError);
        if (first === 0x6c && this.#is(key, "logicalParentUuid")) {
          const end = this.#text(at);
          if (end > 0) head.logicalParent = this.#own(end);
          return end === 0 ? this.#value(at) : end;
        }
        break;
    }
    return this.#value(at);
  }

  #inMessage(key: number, length: number, value: number): number {
    const first = this.#bytes[key] as number;
    if (length === 2 && first === 0x69 && this.#is(key, "id")) {
      const end = this.#text(value);
      if (end > 0) this.head.group = this.#group.of(this.#bytes, this.#from, end - 1, this.#plain);
      return end === 0 ? this.#value(value) : end;
    }
    if (length === 5 && first === 0x6d && this.#is(key, "model")) {
      const end = this.#text(value);
      if (end > 0) this.head.model = this.#model.of(this.#bytes, this.#from, end - 1, this.#plain);
      return end === 0 ? this.#value(value) : end;
    }
    if (length === 7 && first === 0x63 && this.#is(key, "content")) return this.#content(value);
    return this.#value(value);
  }

  /** `message.content`: a string, or blocks of which only the types matter here, and how the first text begins. */
  #content(at: number): number {
    const bytes = this.#bytes;
    if (bytes[at] === QUOTE) {
      const end = this.#string(at + 1);
      if (end === -1) return -1;
      this.head.flags |= flag.text | promptFlag(bytes, at + 1, end);
      return end + 1;
    }
    if (bytes[at] !== OPEN_ARRAY) return this.#value(at);
    at = this.#blank(at + 1);
    if (bytes[at] === CLOSE_ARRAY) return at + 1;
    for (;;) {
      at = bytes[at] === OPEN_OBJECT ? this.#contentBlock(at) : this.#value(at);
      if (at === -1) return -1;
      at = this.#blank(at);
      if (bytes[at] === COMMA) at = this.#blank(at + 1);
      else return bytes[at] === CLOSE_ARRAY ? at + 1 : -1;
    }
  }

  #contentBlock(at: number): number {
    this.#textFrom = -1;
    this.#block = 0;
    const end = this.#object(at, BLOCK);
    const type = this.#block;
    this.head.flags |= type;
    if (type === flag.text && this.#textFrom !== -1)
      this.head.flags |= promptFlag(this.#bytes, this.#textFrom, this.#textEnd);
    if (type === flag.image) this.head.flags |= flag.prompt;
    return end;
  }

  #inBlock(key: number, length: number, value: number): number {
    if (length !== 4 || (this.#bytes[key] as number) !== 0x74) return this.#value(value);
    if (this.#is(key, "type")) {
      const after = this.#text(value);
      if (after > 0) this.#block = this.#blockFlag(after);
      return after === 0 ? this.#value(value) : after;
    }
    if (this.#is(key, "text") && this.#bytes[value] === QUOTE) {
      this.#textFrom = value + 1;
      this.#textEnd = this.#string(value + 1);
      return this.#textEnd === -1 ? -1 : this.#textEnd + 1;
    }
    return this.#value(value);
  }

  #blockFlag(end: number): number {
    switch (this.#bytes[this.#from]) {
      case 0x74: // t
        if (this.#isText(end, "text")) return flag.text;
        if (this.#isText(end, "tool_use")) return flag.call;
        return this.#isText(end, "tool_result") ? flag.result : 0;
      case 0x69: // i
        return this.#isText(end, "image") ? flag.image : 0;
      case 0x64: // d
        return this.#isText(end, "document") ? flag.image : 0;
      default:
        return 0;
    }
  }

  #inAttachment(key: number, length: number, value: number): number {
    if (length !== 4 || !this.#is(key, "type")) return this.#value(value);
    const end = this.#text(value);
    if (end > 0 && this.#isText(end, "queued_command")) this.head.flags |= flag.queued;
    return end === 0 ? this.#value(value) : end;
  }

  /** Steps over an object, looking at its fields; over anything else just so. */
  #object(at: number, which: number): number {
    if (this.#bytes[at] !== OPEN_OBJECT) return this.#value(at);
    const bytes = this.#bytes;
    at = this.#blank(at + 1);
    if (bytes[at] === CLOSE_OBJECT) return at + 1;
    for (;;) {
      if (at >= this.#to || bytes[at] !== QUOTE) return -1;
      const key = at + 1;
      const end = this.#string(key);
      if (end === -1 || !this.#plain) return -1;
      at = this.#blank(end + 1);
      if (bytes[at] !== COLON) return -1;
      const value = this.#blank(at + 1);
      if (which === MESSAGE) at = this.#inMessage(key, end - key, value);
      else if (which === BLOCK) at = this.#inBlock(key, end - key, value);
      else at = this.#inAttachment(key, end - key, value);
      if (at === -1) return -1;
      at = this.#blank(at);
      if (bytes[at] === COMMA) at = this.#blank(at + 1);
      else return bytes[at] === CLOSE_OBJECT ? at + 1 : -1;
    }
  }

  /** One past a string value (then `#from` is its first byte), 0 if it is something else, -1 if it does not end. */
  #text(at: number): number {
    if (this.#bytes[at] !== QUOTE) return 0;
    this.#from = at + 1;
    const end = this.#string(at + 1);
    return end === -1 ? -1 : end + 1;
  }

  /** The text whose closing quote `#text` has just passed. */
  #own(end: number): string | undefined {
    return this.#plain
      ? this.#bytes.toString("latin1", this.#from, end - 1)
      : unescaped(this.#bytes.toString("utf8", this.#from, end - 1));
  }

  #truth(at: number, bit: number): number {
    if (this.#bytes[at] === 0x74) this.head.flags |= bit;
    return this.#value(at);
  }

  /** One past the value at `at`, or -1. */
  #value(at: number): number {
    const bytes = this.#bytes;
    const to = this.#to;
    const first = bytes[at];
    if (first === QUOTE) {
      const end = this.#string(at + 1);
      return end === -1 ? -1 : end + 1;
    }
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      let depth = 0;
      for (; at < to; at++) {
        const byte = bytes[at];
        if (byte === QUOTE) {
          at = this.#string(at + 1);
          if (at === -1) return -1;
        } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
        else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) return at + 1;
      }
      return -1;
    }
    const start = at;
    while (at < to && isLiteral(bytes[at] as number)) at++;
    return at === start ? -1 : at;
  }

  /** The index of the quote that ends the string whose first byte is at `at`, or -1. Sets `#plain`. */
  #string(at: number): number {
    const bytes = this.#bytes;
    const to = this.#to;
    const start = at;
    this.#plain = true;
    for (const stop = Math.min(at + SHORT, to); at < stop; at++) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) {
        this.#plain = false;
        at++;
      } else if (byte >= 0x80) this.#plain = false;
    }
    this.#plain = false;
    const length = this.#longTo - this.#longFrom;
    // A command's output stands in its record twice.
    if (
      start + length < to &&
      bytes[start + length] === QUOTE &&
      length > 0 &&
      bytes.compare(bytes, this.#longFrom, this.#longTo, start, start + length) === 0
    )
      return start + length;
    for (let end = this.#quote(at); end !== -1 && end < to; end = this.#quote(end + 1)) {
      let back = end - 1;
      while (back >= start && bytes[back] === BACKSLASH) back--;
      if (((end - back) & 1) === 0) continue;
      if (end - start > length) {
        this.#longFrom = start;
        this.#longTo = end;
      }
      return end;
    }
    return -1;
  }

  #quote(from: number): number {
    const line = this.#line;
    return line === undefined ? this.#bytes.indexOf(QUOTE, from) : line.indexOf('"', from);
  }

  #blank(at: number): number {
    const bytes = this.#bytes;
    while (at < this.#to) {
      const byte = bytes[at];
      if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== 0x0a) break;
      at++;
    }
    return at;
  }

  #is(from: number, word: string): boolean {
    const bytes = this.#bytes;
    for (let i = 0; i < word.length; i++) if (bytes[from + i] !== word.charCodeAt(i)) return false;
    return true;
  }

  #isText(end: number, word: string): boolean {
    return end - 1 - this.#from === word.length && this.#is(this.#from, word);
  }
}
