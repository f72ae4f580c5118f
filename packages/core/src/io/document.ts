/**
 * A JSON document over a whole file, taken apart without being held: the objects of its long list one by one, and what
 * stands around the list. A document that is cut off gives what it has. A list may also be an object of objects
 * (`{"mapping":{"a":{…},"b":{…}}}`): then the keys are told beside.
 */
import { parsed } from "../values.js";
import type { OpenFile } from "./source.js";

export interface DocumentParts {
  /** What stands around the list; undefined where that is no JSON. */
  shell: unknown;
  /** Where the objects of the list lie. */
  objects: DocumentObject[];
  /** The document ends before its end: from where on nothing is whole. */
  cut: { offset: number; length: number } | undefined;
}

export interface DocumentObject {
  offset: number;
  length: number;
  /** Where the list is an object: the key it stands under. */
  key?: string;
}

const CHUNK = 1024 * 1024;
/** Of a key in bytes: longer ones are cut. */
const LONGEST_KEY = 256;
/** What stands around the list is small. */
const MAX_SHELL = 4 * 1024 * 1024;

/** @param keys what the list may be called. A file that is a list has it at the top. */
export function documentParts(file: OpenFile, keys: readonly string[]): DocumentParts {
  return new Walk(file, keys).walk();
}

/** One pass over the bytes: depth, strings, and which list is at hand. */
class Walk {
  readonly #file: OpenFile;
  readonly #keys: readonly string[];
  readonly #objects: DocumentObject[] = [];
  readonly #shell: Uint8Array[] = [];
  #shellSize = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The last string, and whether it is a key: a colon came after it. */
  #word = "";
  #key: string | undefined;
  /** Depth of the objects in the list; 0 outside of it. */
  #list = 0;
  #begin = -1;
  /** The list is an object, and this is the key at hand. */
  #isMap = false;
  #ownKey: number[] = [];

  constructor(file: OpenFile, keys: readonly string[]) {
    this.#file = file;
    this.#keys = keys;
  }

  walk(): DocumentParts {
    const { size } = this.#file;
    for (let offset = 0; offset < size; offset += CHUNK) {
      const bytes = this.#file.read(offset, CHUNK);
      let shellFrom = this.#list === 0 ? 0 : -1;
      for (let i = 0; i < bytes.length; i++) {
        const wasList = this.#list;
        this.#byte(bytes[i] as number, offset + i);
        if (wasList === 0 && this.#list > 0) {
          this.#keep(bytes.subarray(shellFrom, i + 1));
          shellFrom = -1;
        } else if (wasList > 0 && this.#list === 0) shellFrom = i;
      }
      if (shellFrom !== -1) this.#keep(bytes.subarray(shellFrom));
    }
    const from = Math.max(this.#begin, 0);
    const shell = Buffer.concat(this.#shell)
      .toString("utf8")
      .replace(/^\uFEFF/, "");
    return {
      objects: this.#objects,
      // What is cut off inside of its list has its head all the same.
      shell: parsed(shell) ?? parsed(`${shell}${this.#isMap ? "}" : "]"}}`),
      cut: this.#depth > 0 ? { offset: from, length: size - from } : undefined,
    };
  }

  #keep(bytes: Uint8Array): void {
    this.#shellSize += bytes.length;
    if (this.#shellSize <= MAX_SHELL) this.#shell.push(bytes);
  }

  #byte(byte: number, at: number): void {
    if (this.#inString) {
      this.#stringByte(byte);
      return;
    }
    switch (byte) {
      case 0x22: // "
        this.#inString = true;
        this.#word = "";
        if (this.#isMap && this.#depth === this.#list - 1) this.#ownKey = [];
        return;
      case 0x3a: // :
        if (this.#depth === 1) this.#key = this.#word;
        return;
      case 0x7b: // {
        this.#depth++;
        if (this.#list > 0 && this.#depth === this.#list) this.#begin = at;
        else if (this.#list === 0 && this.#depth === 2 && this.#isNamed()) {
          this.#list = this.#depth + 1;
          this.#isMap = true;
        }
        return;
      case 0x5b: // [
        this.#depth++;
        if (this.#list === 0 && this.#isList()) this.#list = this.#depth + 1;
        return;
      case 0x7d: // }
        if (this.#list > 0 && this.#depth === this.#list && this.#begin !== -1) {
          const length = at + 1 - this.#begin;
          this.#objects.push({ offset: this.#begin, length, ...(this.#isMap && { key: this.#keyText() }) });
          this.#begin = -1;
        } else if (this.#isMap && this.#depth === this.#list - 1) this.#list = 0;
        this.#depth--;
        return;
      case 0x5d: // ]
        if (this.#list > 0 && this.#depth === this.#list - 1) this.#list = 0;
        this.#depth--;
    }
  }

  #stringByte(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === 0x5c) this.#escaped = true;
    else if (byte === 0x22) this.#inString = false;
    else if (this.#list === 0 && this.#word.length < 32) this.#word += String.fromCharCode(byte);
    else if (this.#isMap && this.#depth === this.#list - 1 && this.#ownKey.length < LONGEST_KEY)
      this.#ownKey.push(byte);
  }

  #keyText(): string {
    return Buffer.from(this.#ownKey).toString("utf8");
  }

  #isList(): boolean {
    if (this.#depth === 1) return this.#objects.length === 0;
    return this.#depth === 2 && this.#isNamed();
  }

  #isNamed(): boolean {
    return this.#key !== undefined && this.#objects.length === 0 && this.#keys.includes(this.#key);
  }
}
