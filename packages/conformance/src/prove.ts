/** The last proof: the real program resumes what was written, and its model is sent what the source said. */
import {
  type Converter,
  convert,
  diskSource,
  type Environment,
  type FidelityTable,
  type SessionRef,
  type Source,
  type Store,
} from "@asp-convert/core";
import { ENVIRONMENT, readAll, sessionsIn } from "./convert.js";
import { atomsOf } from "./native/atoms.js";
import type { Resumed } from "./native/resume.js";
import { resumeProgram } from "./native/resume-program.js";
import { withScratch, writeFiles } from "./native/scratch.js";
import { sampleFixture, wholeFixture } from "./sample/fixture.js";
import { sample } from "./sample/index.js";
import { talkOf } from "./talk.js";

/** Where the real program is. */
export interface NativeProgram {
  /** A path, or a name on the PATH. Default: as the converter calls it. */
  readonly program?: string;
  /** Milliseconds until it is killed. Default: 60,000. */
  readonly limit?: number;
}

export interface ProgramSession {
  readonly from: Converter;
  readonly store: Store;
  readonly ref: SessionRef;
  readonly source: Source;
  readonly environment: Environment;
}

const PROMPT = "What was it about?";

/**
 * Puts a session into an empty store, as any conversion does (one of the program's own by its own bytes), and goes on
 * with it there, in another empty folder.
 * @throws if the converter does not say how its program is started, or refuses the session
 */
export function resumeConverted(
  to: Converter,
  session: ProgramSession,
  native: NativeProgram & { readonly prompt: string },
): Promise<Resumed> {
  const { program, variable, variables, command } = to.sessions.resume;
  if (!program)
    throw new Error(`${to.name}'s converter does not say how to start it (sessions.resume.program)`);
  const { environment } = session;
  return resumeProgram({
    dialect: program.dialect,
    program: native.program ?? program.name ?? command("", undefined)[0] ?? to.id,
    prompt: native.prompt,
    ...(native.limit !== undefined && { limit: native.limit }),
    fill: async ({ root, cwd, home }) => {
      const report = await convert({
        ...session,
        refs: [session.ref],
        to,
        root,
        cwd,
        // What is remembered of the person's own conversions is not to hold this one.
        environment: { ...environment, env: { ...environment.env, ASP_HOME: `${home}/.asp` }, home },
        installed: false,
      });
      return report.sessions[0]?.newId ?? "";
    },
    start: (at) => {
      const started = program.start(at);
      const places = variables?.(at.root, { ...environment, env: {}, home: at.home });
      return { ...started, env: { ...(places ?? { [variable]: at.root }), ...started.env } };
    },
  });
}

/** Why the program's model was sent nothing. */
export function silence({ timedOut, exitCode, stderr, stdout }: Resumed): string {
  const ended = timedOut ? "took too long" : `exit code ${exitCode}`;
  return `sent its model nothing (${ended}): ${(stderr || stdout).trim().slice(-1000)}`;
}

/** Writes the sample harness' sessions with the converter and resumes each. Empty: all was sent. */
export async function proveResume(converter: Converter, native: NativeProgram = {}): Promise<string[]> {
  const problems: string[] = [];
  for (const fixture of [wholeFixture(), sampleFixture()])
    await withScratch(async (folder) => {
      const here = `${folder}/sample`;
      const files = [...fixture.files].map(
        ([path, bytes]) => [here + path.slice(fixture.root.length), bytes] as const,
      );
      await writeFiles(new Map(files));
      const environment: Environment = { ...ENVIRONMENT, platform: process.platform, home: `${folder}/home` };
      const store = await sample.open(here, diskSource, environment);
      const refs = await sessionsIn(sample, here, diskSource);
      for (const ref of refs) {
        const resumed = await resumeConverted(
          converter,
          { from: sample, store, ref, source: diskSource, environment },
          { ...native, prompt: PROMPT },
        );
        if (resumed.request) {
          const said = await saidIn(ref, diskSource, converter.sessions.fidelity.write);
          const sent = atomsOf(resumed.request).map(({ text }) => text);
          problems.push(...unsent(said, sent).map((what) => `${fixture.name}: ${what}`));
        } else problems.push(`${fixture.name}: the program ${silence(resumed)}`);
      }
    });
  return problems;
}

/** What person and agent said, in order, as the model would be sent it: all, if the target knows no compaction. */
async function saidIn(ref: SessionRef, source: Source, { compaction }: FidelityTable): Promise<string[]> {
  const { events } = await readAll(sample, ref, source);
  const compacts = compaction === "preserved" || compaction === "partial";
  return talkOf(compacts ? events : events.filter(({ type }) => type !== "status.changed"))
    .filter(({ kind }) => kind === "user" || kind === "assistant")
    .map(({ key }) => key.trim());
}

/** The texts that were not sent, or not in their order. A program may put words of its own around one (a summary). */
function unsent(expected: readonly string[], sent: readonly string[]): string[] {
  let from = 0;
  return expected.flatMap((text) => {
    const at = sent.findIndex((one, place) => place >= from && one.includes(text));
    if (at === -1) return [`the model was not sent ${JSON.stringify(text)} in its place`];
    from = at + 1;
    return [];
  });
}
