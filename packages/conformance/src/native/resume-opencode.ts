/** Resumes a session in the real OpenCode (or Kilo, which was made from it), headless, against a mock model. */
import { dirname, join } from "node:path";
import { asObject, asString, parseLines } from "./json.js";
import {
  copyOpenCodeStore,
  linesOfSession,
  moveOpenCodeSession,
  type OpenCodeKind,
  type OpenCodeModel,
  openCodeConfig,
  openCodeKinds,
  sessionIn,
} from "./opencode-store.js";
import { isFolder } from "./pi-store.js";
import { findProgram } from "./programs.js";
import { DEFAULT_PROMPT, type Resumed, type ResumeOptions, resume } from "./resume.js";
import { cleanEnvironment, type Environment } from "./run.js";
import { emptyFolder, withScratch } from "./scratch.js";

export interface ResumeOpenCodeOptions extends ResumeOptions {
  /** The folder with the database. It is copied with its log, never changed. */
  readonly root: string;
  /** The model to resume with. Default: the session's own where the mock plays it. */
  readonly model?: OpenCodeModel;
}

/** Kilo needs a minute to start where other programs need a second, when the machine is busy. */
const LIMIT = 240_000;

export function resumeOpenCode(options: ResumeOpenCodeOptions): Promise<Resumed> {
  return resumeIn(openCodeKinds.opencode, options);
}

export function resumeKilo(options: ResumeOpenCodeOptions): Promise<Resumed> {
  return resumeIn(openCodeKinds.kilo, options);
}

/**
 * Resumes with `run --session`, in the session's own folder: anywhere else the program answers and then never ends.
 * Where that folder is not there, the copy is made to name a new empty one.
 */
async function resumeIn(kind: OpenCodeKind, options: ResumeOpenCodeOptions): Promise<Resumed> {
  const program = options.program ?? (await findProgram(kind.name));
  return withScratch(async (folder) => {
    const home = join(folder, "home");
    const database = await copyOpenCodeStore(options.root, home, kind);
    const session = await sessionIn(database, options.session);
    const own = session?.directory;
    const cwd =
      options.cwd ??
      (own !== undefined && (await isFolder(own)) ? own : await emptyFolder(folder, "project"));
    if (own !== undefined && cwd !== own) await moveOpenCodeSession(database, options.session, cwd);
    const model = options.model ?? session?.model;
    let config = {};
    return resume(
      {
        dialect: model?.dialect ?? "chat",
        program,
        cwd,
        store: dirname(database),
        prepare: async (mock) => {
          config = openCodeConfig(mock);
        },
        command: () => ({
          args: [
            ...["run", "--format", "json", "--session", options.session],
            ...(model ? ["--model", `${model.provider}/${model.model}`] : []),
            // Words with spaces in them would be put in quotes.
            ...(options.prompt ?? DEFAULT_PROMPT).split(" "),
          ],
          env: openCodeEnvironment(kind, folder, home, config),
        }),
        transcript: async () => (session ? linesOfSession(database, options.session) : ""),
        printed: readEvents,
      },
      { ...options, limit: options.limit ?? LIMIT },
    );
  });
}

export function openCodeEnvironment(
  kind: OpenCodeKind,
  folder: string,
  home: string,
  config: object,
): Environment {
  return cleanEnvironment(folder, {
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    [`${kind.prefix}_CONFIG_CONTENT`]: JSON.stringify(config),
    [`${kind.prefix}_DISABLE_AUTOUPDATE`]: "1",
    [`${kind.prefix}_DISABLE_MODELS_FETCH`]: "1",
    [`${kind.prefix}_DISABLE_LSP_DOWNLOAD`]: "1",
  });
}

function readEvents(stdout: string): Pick<Resumed, "resumedSession" | "answer"> {
  const events = parseLines(stdout);
  const said = events.findLast(({ type }) => type === "text");
  return {
    resumedSession: asString(events.find(({ sessionID }) => sessionID !== undefined)?.sessionID),
    answer: asString(asObject(said?.part)?.text),
  };
}
