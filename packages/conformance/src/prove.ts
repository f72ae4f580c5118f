/** The last proof: the real program resumes what was written, and its model is sent what the source said. */
import type { Converter } from "@asp-convert/core";
import type { DialectName } from "@asp-convert/mock-model";
import { convert, readAll, sessionsIn } from "./convert.js";
import { sourceOf } from "./files.js";
import { atomsOf } from "./native/atoms.js";
import { resume } from "./native/resume.js";
import { cleanEnvironment } from "./native/run.js";
import { emptyFolder, withScratch, writeFiles } from "./native/scratch.js";
import { sampleFixture, wholeFixture } from "./sample/fixture.js";
import { sample } from "./sample/index.js";
import { talkOf } from "./talk.js";

/** How to resume a session in the real program, without a person. */
export interface NativeResume {
  /** What it speaks to its model. */
  readonly dialect: DialectName;
  /** A path, or a name on the PATH. */
  readonly program: string;
  /** What must be set up before it starts goes into `files`: path relative to the store's root → text. */
  start(at: NativePlace): {
    readonly args: readonly string[];
    /** Besides a PATH and a home folder that is empty. */
    readonly env?: Readonly<Record<string, string>>;
    readonly files?: Readonly<Record<string, string>>;
  };
  /** Milliseconds until it is killed. Default: 60,000. */
  readonly limit?: number;
}

export interface NativePlace {
  /** The store's root, with the session in it. */
  readonly root: string;
  readonly session: string;
  /** The folder that the session is of. It is there, and empty. */
  readonly cwd: string;
  /** What to say in the new turn. */
  readonly prompt: string;
  /** The base URL of the scripted model. */
  readonly url: string;
}

const PROMPT = "What was it about?";

/** Writes the sample harness' sessions with the converter and resumes each. Empty: all was sent. */
export async function proveResume(converter: Converter, native: NativeResume): Promise<string[]> {
  const problems: string[] = [];
  for (const fixture of [wholeFixture(), sampleFixture()]) {
    const source = sourceOf(fixture.files);
    for (const ref of await sessionsIn(sample, fixture.root, source))
      await withScratch(async (folder) => {
        const [root, cwd] = [await emptyFolder(folder, "store"), await emptyFolder(folder, "project")];
        const { plan, files } = await convert({ from: sample, ref, source, to: converter, root, cwd });
        await writeFiles(files);
        const at = { root, cwd, session: plan.id, prompt: PROMPT };
        const resumed = await resume(
          {
            dialect: native.dialect,
            program: native.program,
            cwd,
            store: root,
            prepare: async (model) => {
              const { files: more = {} } = native.start({ ...at, url: model.url(native.dialect) });
              const named = Object.entries(more).map(([path, text]) => [`${root}/${path}`, text] as const);
              await writeFiles(new Map(named));
            },
            command: (url) => {
              const { args, env = {} } = native.start({ ...at, url });
              return { args, env: cleanEnvironment(folder, env) };
            },
            transcript: async () => "",
            printed: () => ({ resumedSession: undefined, answer: undefined }),
          },
          { session: plan.id, prompt: PROMPT, ...(native.limit !== undefined && { limit: native.limit }) },
        );
        const expected = talkOf((await readAll(sample, ref, source)).events)
          .filter(({ kind }) => kind === "user" || kind === "assistant")
          .map(({ key }) => key.trim());
        if (!resumed.request) {
          const ended = resumed.timedOut ? "took too long" : `exit code ${resumed.exitCode}`;
          const said = `${resumed.stderr || resumed.stdout}`.trim().slice(-1000);
          problems.push(`${fixture.name}: the program sent its model nothing (${ended}): ${said}`);
          return;
        }
        const sent = atomsOf(resumed.request).map(({ text }) => text);
        problems.push(...unsent(expected, sent).map((what) => `${fixture.name}: ${what}`));
      });
  }
  return problems;
}

/** The texts that were not sent, or not in their order. */
function unsent(expected: readonly string[], sent: readonly string[]): string[] {
  let from = 0;
  return expected.flatMap((text) => {
    const at = sent.indexOf(text, from);
    if (at === -1) return [`the model was not sent ${JSON.stringify(text)} in its place`];
    from = at + 1;
    return [];
  });
}
