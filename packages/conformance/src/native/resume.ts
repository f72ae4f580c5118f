/** What resuming a session in its real program gives back, whatever the program. */
import { cp } from "node:fs/promises";
import {
  type DialectName,
  type MockModel,
  type ModelRequest,
  startMockModel,
  type Turn,
} from "@asp-convert/mock-model";
import { atomsOf } from "./atoms.js";
import { type JsonObject, parseLines } from "./json.js";
import { type Environment, type Run, type RunOptions, run } from "./run.js";

export interface ResumeOptions {
  /** The id of the session. */
  readonly session: string;
  /** The folder to resume in. Default: a new empty one. */
  readonly cwd?: string;
  /** The new message. Default: "continue". */
  readonly prompt?: string;
  /** What the model answers. Default: "ok", once and for all. */
  readonly turns?: readonly Turn[];
  /** A folder that is not there yet: gets the store as the program left it, session and new turn. */
  readonly left?: string;
  /** Another copy of the program than the pinned one. */
  readonly program?: string;
  /** Milliseconds until the program is killed. Default: 60,000. */
  readonly limit?: number;
}

export interface Resumed extends Run {
  readonly dialect: DialectName;
  /** The body of the first request that carries the new message: the whole conversation as the model sees it. Undefined when none was made. */
  readonly request: JsonObject | undefined;
  /** All requests for an answer, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** The id of the session that the program says it went on with. A program may silently start a new one. */
  readonly resumedSession: string | undefined;
  /** What the model said last, as the program printed it. */
  readonly answer: string | undefined;
  /** The records that the run added to the session's transcript. */
  readonly appended: readonly JsonObject[];
}

/** How to run one program against a mock model in a prepared folder. */
export interface ResumePlan {
  readonly dialect: DialectName;
  readonly program: string;
  readonly cwd: string;
  /** The copy of the store that the program works in. */
  readonly store: string;
  /** Writes what the program must find before it starts, once the model is there. */
  readonly prepare?: (model: MockModel) => Promise<void>;
  /** Arguments and environment, once the model's base URL is known. */
  readonly command: (url: string) => { readonly args: readonly string[]; readonly env: Environment };
  /** For a program that must be talked to while it runs. Absent: it is run to its end. */
  readonly run?: (program: string, args: readonly string[], options: RunOptions) => Promise<Run>;
  /** The session's transcript as it is now, as JSONL text; empty when there is none. */
  readonly transcript: () => Promise<string>;
  /** What the program printed, understood. */
  readonly printed: (stdout: string) => Pick<Resumed, "resumedSession" | "answer">;
}

export const DEFAULT_PROMPT = "continue";
const DEFAULT_LIMIT = 60_000;

export async function resume(plan: ResumePlan, options: ResumeOptions): Promise<Resumed> {
  const before = parseLines(await plan.transcript());
  const model = await startMockModel({ turns: options.turns ?? [] });
  try {
    await plan.prepare?.(model);
    const { args, env } = plan.command(model.url(plan.dialect));
    const ran = await (plan.run ?? run)(plan.program, args, {
      cwd: plan.cwd,
      env,
      limit: options.limit ?? DEFAULT_LIMIT,
    });
    if (options.left !== undefined)
      await cp(plan.store, options.left, { recursive: true, preserveTimestamps: true });
    return {
      ...ran,
      ...plan.printed(ran.stdout),
      dialect: plan.dialect,
      request: requestWith(options.prompt ?? DEFAULT_PROMPT, model),
      requests: model.requests,
      appended: parseLines(await plan.transcript()).slice(before.length),
    };
  } finally {
    await model.close();
  }
}

/** Programs also ask for titles, summaries and the like: the request meant is the one that ends in the prompt. */
function requestWith(prompt: string, model: MockModel): JsonObject | undefined {
  return model.requests.find(({ body }) => {
    const lastSaid = atomsOf(body).findLast(({ kind }) => kind === "user");
    return lastSaid?.text === prompt.trim();
  })?.body;
}
