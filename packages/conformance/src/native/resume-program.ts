/** Resumes a session in any program that says how it is started: what a converter's `program` part is for. */
import { join, resolve } from "node:path";
import type { DialectName } from "@asp-convert/mock-model";
import { DEFAULT_PROMPT, type Resumed, type ResumeOptions, resume } from "./resume.js";
import { cleanEnvironment, type Environment } from "./run.js";
import { emptyFolder, withScratch, writeFiles } from "./scratch.js";

/** The folders of one run: all empty, and gone after it. */
export interface ProgramFolders {
  readonly root: string;
  readonly cwd: string;
  readonly home: string;
}

export interface ResumeProgramOptions extends Omit<ResumeOptions, "session" | "cwd"> {
  readonly dialect: DialectName;
  /** A path, or a name on the PATH. */
  readonly program: string;
  /** Puts the session into the store, and gives the id that it has there. */
  readonly fill: (at: ProgramFolders) => Promise<string>;
  /** How it is started; `files`: path → text, relative to the store's root. */
  readonly start: (at: ProgramFolders & { session: string; prompt: string; url: string }) => {
    readonly args: readonly string[];
    readonly env?: Environment;
    readonly files?: Environment;
  };
}

/** Rejects when the session cannot be put there, or the program cannot be started at all. */
export function resumeProgram(options: ResumeProgramOptions): Promise<Resumed> {
  return withScratch(async (folder) => {
    const root = await emptyFolder(folder, "store");
    const cwd = await emptyFolder(folder, "project");
    const at = { root, cwd, home: join(folder, "home") };
    const session = await options.fill(at);
    const startOn = (url: string) =>
      options.start({ ...at, session, prompt: options.prompt ?? DEFAULT_PROMPT, url });
    return resume(
      {
        dialect: options.dialect,
        program: options.program,
        cwd,
        store: root,
        prepare: (model) => {
          const { files = {} } = startOn(model.url(options.dialect));
          return writeFiles(
            new Map(Object.entries(files).map(([path, text]) => [resolve(root, path), text])),
          );
        },
        command: (url) => {
          const { args, env = {} } = startOn(url);
          return { args, env: cleanEnvironment(folder, env) };
        },
        // Only a converter could say where its program writes, and in what form it prints.
        transcript: async () => "",
        printed: () => ({ resumedSession: undefined, answer: undefined }),
      },
      { ...options, session },
    );
  });
}
