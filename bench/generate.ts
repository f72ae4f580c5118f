/** Transcripts of any size on a disk: the same seed gives the same bytes. */
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { randomFrom } from "../packages/conformance/src/fuzz/random.ts";
import { claudeLines } from "./claude.ts";
import { codexLines } from "./codex.ts";
import { makeTexts } from "./texts.ts";

const CWD = "/home/dev/demo";

/** A file that was written, and the store it lies in. */
export interface Generated {
  store: string;
  path: string;
  /** The session's native id. */
  id: string;
  bytes: number;
}

/** A Claude Code store with one session of about `size` bytes. */
export function claudeStore(store: string, size: number, seed = 1): Generated {
  const random = randomFrom(seed);
  const id = `${random.hex(8)}-0000-4000-8000-${random.hex(12)}`;
  const path = join(store, "projects", "-home-dev-demo", `${id}.jsonl`);
  return {
    store,
    path,
    id,
    bytes: write(path, claudeLines(random, textsOf(), { sessionId: id, cwd: CWD }), size),
  };
}

/** A Codex store with one session of about `size` bytes. */
export function codexStore(store: string, size: number, seed = 1): Generated {
  const random = randomFrom(seed);
  const id = `01a1e0${random.hex(2)}-${random.hex(4)}-7${random.hex(3)}-8${random.hex(3)}-${random.hex(12)}`;
  const path = join(store, "sessions", "2026", "11", "03", `rollout-2026-11-03T09-30-00-${id}.jsonl`);
  return {
    store,
    path,
    id,
    bytes: write(path, codexLines(random, textsOf(), { threadId: id, cwd: CWD }), size),
  };
}

/** A Claude Code store with `count` sessions of `total` bytes together, in 40 projects, of very unequal sizes. */
export function manySessions(store: string, count: number, total: number): number {
  const random = randomFrom(7);
  const shares = Array.from({ length: count }, () => 0.05 + (3 * random.below(1000) ** 3) / 1e9);
  const sum = shares.reduce((a, b) => a + b, 0);
  let bytes = 0;
  for (const [i, share] of shares.entries()) {
    const cwd = `/home/dev/project${i % 40}`;
    const id = `${i.toString(16).padStart(8, "0")}-0000-4000-8000-${random.hex(12)}`;
    const path = join(store, "projects", cwd.replaceAll("/", "-"), `${id}.jsonl`);
    bytes += write(
      path,
      claudeLines(randomFrom(i + 1), textsOf(), { sessionId: id, cwd }),
      (share / sum) * total,
    );
  }
  return bytes;
}

/** A Claude Code store whose session has one record of `size` bytes among ordinary ones. */
export function oneLongLine(store: string, size: number): Generated {
  const made = claudeStore(store, 200_000, 3);
  const file = openSync(made.path, "a");
  const head = `{"parentUuid":null,"type":"user","uuid":"00000000-0000-4000-8000-0000000000ff","timestamp":"2026-11-03T12:00:00.000Z","sessionId":"${made.id}","message":{"role":"user","content":"`;
  const block = Buffer.alloc(1024 * 1024, "A base64 picture would stand here. ");
  let written = writeSync(file, head);
  while (written < size) written += writeSync(file, block);
  written += writeSync(file, '"}}\n');
  closeSync(file);
  return { ...made, bytes: made.bytes + written };
}

let texts: ReturnType<typeof makeTexts> | undefined;
function textsOf(): ReturnType<typeof makeTexts> {
  texts ??= makeTexts(42);
  return texts;
}

/** Whole lines until `size` is reached. */
function write(path: string, lines: Iterable<string>, size: number): number {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "w");
  let bytes = 0;
  let held = "";
  for (const line of lines) {
    held += line;
    if (held.length < 1024 * 1024 && bytes + held.length < size) continue;
    bytes += writeSync(file, held);
    held = "";
    if (bytes >= size) break;
  }
  closeSync(file);
  return bytes;
}
