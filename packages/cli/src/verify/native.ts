/** Resumes a session in the real program, against a model that is a script: no account, no network, no tokens. */
import type { Converter, SessionRef, Store } from "@asp-convert/core";
import { CommandError } from "../errors.js";
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
  const program = fetch ? undefined : await onPath(converter, terminal);
  const options = { session: ref.id, prompt: PROMPT, ...(program !== undefined && { program }) };
  const resumed = await resumes[converter.id]?.(native, store.root, options);
  if (!resumed) throw new Error(`no way to resume in ${converter.id}`);
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
  const same = resumed.resumedSession === undefined || resumed.resumedSession === ref.id;
  return {
    ...about,
    ok: same && resumed.exitCode === 0,
    sent,
    ...(words[0] !== undefined && { first: words[0], last: words.at(-1) ?? words[0] }),
    ...(!same && { problem: `it went on with another session, ${oneLine(resumed.resumedSession ?? "")}` }),
    ...(same && resumed.exitCode !== 0 && { problem: `it ended with exit code ${resumed.exitCode}` }),
  };
}

type Native = typeof import("@asp-convert/conformance/native");
type Options = { session: string; prompt: string; program?: string };

/** How each program is told where its store is. */
const resumes: Readonly<
  Record<string, (native: Native, root: string, options: Options) => ReturnType<Native["resumePi"]>>
> = {
  claude: (native, configDir, options) => native.resumeClaude({ ...options, configDir }),
  codex: (native, home, options) => native.resumeCodex({ ...options, home }),
  opencode: (native, root, options) => native.resumeOpenCode({ ...options, root }),
  kilo: (native, root, options) => native.resumeKilo({ ...options, root }),
  gemini: (native, root, options) => native.resumeGemini({ ...options, root }),
  qwen: (native, root, options) => native.resumeQwen({ ...options, root }),
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
  return Object.hasOwn(resumes, converter.id);
}

/** The program that the person has. */
async function onPath(converter: Converter, { environment }: Terminal): Promise<string> {
  const { delimiter, join } = await import("node:path");
  const [name = converter.id] = converter.sessions.resume.command("", undefined);
  const names = environment.platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const folder of (environment.env.PATH ?? "").split(delimiter)) {
    for (const file of names) {
      const path = join(folder, file);
      const info = folder === "" ? undefined : await source.stat(path).catch(() => undefined);
      if (info?.kind === "file" && (environment.platform === "win32" || (info.mode & 0o111) !== 0))
        return path;
    }
  }
  throw new CommandError(`${converter.name} is not installed here: no \`${name}\` on the PATH`, {
    code: "no-program",
    next: `Install it, or add --fetch: npm then brings a private copy of ${converter.name} ${converter.verified[0] ?? ""} into your cache folder.`,
  });
}
