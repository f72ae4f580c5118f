/** Resumes a session in the real program, against a model that is a script: no account, no network, no tokens. */
import { type Converter, LossLedger, type SessionRef, type Store } from "@asp-convert/core";
import { CommandError } from "../errors.js";
import { installedAt, programNameOf } from "../programs.js";
import type { Terminal } from "../terminal.js";
import { source } from "../toolkit.js";
import { plural } from "../ui/format.js";
import { oneLine } from "../ui/text.js";
import { truncate } from "../ui/width.js";

export interface NativeCheck {
  id: string;
  program: string;
  /** It went on with this very session, and its model was sent the history. */
  ok: boolean;
  /** How many texts, calls, results and images the model was sent. */
  sent?: Record<"user" | "assistant" | "call" | "result" | "image", number>;
  first?: string;
  last?: string;
  problem?: string;
}

/** Asked of the model last; not a part of the history. */
const PROMPT = "asp-convert verify";
const LONGEST_QUOTE = 60;

export async function checkNative(
  converter: Converter,
  store: Store,
  ref: SessionRef,
  fetch: boolean,
  terminal: Terminal,
): Promise<NativeCheck> {
  const native = await import("@asp-convert/conformance/native");
  const pinned = fetch && isPinned(converter);
  const program = pinned ? undefined : await onPath(converter, terminal);
  const options = { session: ref.id, prompt: PROMPT, ...(program !== undefined && { program }) };
  const resumed = await (resumes[converter.id]?.(native, store.root, options) ??
    resumeByPlugin(converter, store, ref, options, terminal));
  const about = { id: ref.id, program: program ?? `${converter.id} (pinned copy)` };
  if (!resumed.request) {
    const said = oneLine(resumed.stderr || resumed.stdout);
    const ended = resumed.timedOut ? "took too long" : `exit code ${resumed.exitCode}`;
    return { ...about, ok: false, problem: `sent its model nothing (${ended}) ${truncate(said, 200)}` };
  }
  const atoms = native.atomsOf(resumed.request).filter(({ text }) => text !== PROMPT);
  const sent = { user: 0, assistant: 0, call: 0, result: 0, image: 0 };
  for (const { kind } of atoms) sent[kind]++;
  const words = atoms.filter(({ kind }) => kind === "user" || kind === "assistant").map(({ text }) => text);
  const problem =
    resumed.resumedSession !== undefined && resumed.resumedSession !== ref.id
      ? `it went on with another session, ${oneLine(resumed.resumedSession)}`
      : resumed.exitCode !== 0
        ? `it ended with exit code ${resumed.exitCode}`
        : resumed.resumedSession === undefined && !(await saysAny(converter, store, ref, words, terminal))
          ? "its model was sent nothing that was said in this session: it began a new one"
          : undefined;
  return {
    ...about,
    ok: problem === undefined,
    sent,
    ...(words[0] !== undefined && { first: words[0], last: words.at(-1) ?? words[0] }),
    ...(problem !== undefined && { problem }),
  };
}

/** As its converter says that it is started. The session's own bytes go into an empty store; this one is not touched. */
async function resumeByPlugin(
  converter: Converter,
  store: Store,
  ref: SessionRef,
  { prompt, program }: Options,
  { environment }: Terminal,
): ReturnType<Native["resumePi"]> {
  const { resumeConverted } = await import("@asp-convert/conformance/toolbox");
  return resumeConverted(
    converter,
    { from: converter, store, ref, source, environment },
    { prompt, ...(program !== undefined && { program }) },
  );
}

/** Where the program does not say which session it went on with: something of this one was sent, if it says anything. */
async function saysAny(
  { sessions }: Converter,
  store: Store,
  ref: SessionRef,
  words: readonly string[],
  { environment }: Terminal,
): Promise<boolean> {
  const sent = new Set(words);
  const files = (await sessions.view?.(store, source)) ?? source;
  let silent = true;
  const context = { source: files, environment, ledger: new LossLedger(ref.id) };
  for await (const { type, payload } of sessions.read(ref, context)) {
    if (type !== "message.completed" || payload.role === "system") continue;
    for (const block of payload.blocks) {
      if (block.type !== "text" || block.text.trim() === "") continue;
      if (sent.has(block.text.trim())) return true;
      silent = false;
    }
  }
  return silent;
}

type Native = typeof import("@asp-convert/conformance/native");
type Options = { session: string; prompt: string; program?: string };

/** How each program that is built in is told where its store is. */
const resumes: Readonly<
  Record<string, (native: Native, root: string, options: Options) => ReturnType<Native["resumePi"]>>
> = {
  claude: (native, configDir, options) => native.resumeClaude({ ...options, configDir }),
  codex: (native, home, options) => native.resumeCodex({ ...options, home }),
  opencode: (native, root, options) => native.resumeOpenCode({ ...options, root }),
  kilo: (native, root, options) => native.resumeKilo({ ...options, root }),
  gemini: (native, root, options) => native.resumeGemini({ ...options, root }),
  qwen: (native, root, options) => native.resumeQwen({ ...options, root }),
  kimi: (native, root, options) => native.resumeKimi({ ...options, root }),
  copilot: (native, root, options) => native.resumeCopilot({ ...options, root }),
  cline: (native, root, options) => native.resumeCline({ ...options, root }),
  pi: (native, agentDir, options) => native.resumePi({ ...options, agentDir }),
};

/** `12 of the person's texts, 30 of the model's, 14 calls with 14 results; first “…”, last “…”`. */
export function sentLine({ sent, first, last }: NativeCheck): string {
  if (!sent) return "";
  const quote = (text: string) => `“${truncate(oneLine(text), LONGEST_QUOTE)}”`;
  const parts = [
    plural(sent.user, "user text"),
    plural(sent.assistant, "assistant text"),
    `${plural(sent.call, "call")} with ${plural(sent.result, "result")}`,
    ...(sent.image > 0 ? [plural(sent.image, "image")] : []),
  ];
  const quotes = first === undefined ? "" : `; from ${quote(first)} to ${quote(last ?? first)}`;
  return `its model was sent ${parts.join(", ")}${quotes}`;
}

export function canResume(converter: Converter): boolean {
  return isPinned(converter) || converter.sessions.resume.program !== undefined;
}

/** A pinned copy of it can be had. */
function isPinned({ id }: Converter): boolean {
  return Object.hasOwn(resumes, id);
}

/** The program that the person has. */
async function onPath(converter: Converter, { environment }: Terminal): Promise<string> {
  const path = await installedAt(converter, environment);
  if (path !== undefined) return path;
  const name = programNameOf(converter);
  throw new CommandError(`${converter.name} is not installed here: no \`${name}\` on the PATH`, {
    code: "no-program",
    next: isPinned(converter)
      ? `Install it, or add --fetch: npm then brings a private copy of ${converter.name} ${converter.verified[0] ?? ""} into your cache folder.`
      : "Install it.",
  });
}
