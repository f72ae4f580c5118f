/** What went wrong, as people need it: the true cause, the place, the next step, and the exit code. */
import { printable } from "./ui/text.js";

/** Exit codes. 130 (128 + SIGINT) is the shell's own for an interrupted program. */
export const exit = { done: 0, failed: 1, usage: 2, loss: 3, partly: 4, interrupted: 130 } as const;
export type Exit = (typeof exit)[keyof typeof exit];

/** An error that says all there is to say. `next`: what to do now. */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exit: Exit;
  readonly code: string;
  readonly next: string | undefined;
  constructor(message: string, options: { exit?: Exit; code?: string; next?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.exit = options.exit ?? exit.failed;
    this.code = options.code ?? "failed";
    this.next = options.next;
  }
}

export class UsageError extends CommandError {
  override name = "UsageError";
  constructor(message: string, next?: string) {
    super(message, { exit: exit.usage, code: "usage", ...(next !== undefined && { next }) });
  }
}

export interface Failure {
  exit: number;
  /** Stable, for programs: `missing`, `tie`, `no-space` … */
  code: string;
  message: string;
  next?: string;
  path?: string;
}

/** By the names of core's errors: core is not loaded just to say that an option is misspelt. */
const KNOWN: Record<string, { exit: Exit; code: string; next?: string }> = {
  UnknownHarnessError: {
    exit: exit.usage,
    code: "unknown-harness",
    next: "`asp-convert plugins` lists the converters.",
  },
  UnknownStoreError: {
    exit: exit.failed,
    code: "not-recognised",
    next: "If a converter that is not built in reads it, name that: --plugin PATH|PACKAGE.",
  },
  TieError: { exit: exit.usage, code: "tie" },
  SeveralStoresError: { exit: exit.usage, code: "several-stores" },
  ConflictError: { exit: exit.failed, code: "exists", next: "Choose another name, or move that file away." },
  RefusedError: { exit: exit.failed, code: "refused" },
  ForbiddenLossError: { exit: exit.loss, code: "forbidden-loss" },
  AccountError: { exit: exit.failed, code: "account" },
  AbortError: { exit: exit.interrupted, code: "interrupted" },
};

const SOURCE: Record<string, string | undefined> = {
  missing: "Check the spelling; `asp-convert list` shows every store on this machine.",
  unreadable: "Check its permissions, or run as the user it belongs to.",
};

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error))
    return { exit: exit.failed, code: "failed", message: printable(String(error)) };
  const path = "path" in error && typeof error.path === "string" ? error.path : undefined;
  const at = path === undefined ? {} : { path };
  const message = printable(error.message);
  if (error instanceof CommandError) {
    return {
      exit: error.exit,
      code: error.code,
      message,
      ...(error.next !== undefined && { next: error.next }),
      ...at,
    };
  }
  if (error.name === "SourceError" && "why" in error) {
    const next = SOURCE[String(error.why)];
    return {
      exit: exit.failed,
      code: String(error.why),
      message,
      ...(next !== undefined && { next }),
      ...at,
    };
  }
  // Its message names the next step itself.
  if (error.name === "WriteError" && "why" in error)
    return { exit: exit.failed, code: String(error.why), message, ...at };
  const known = KNOWN[error.name];
  if (known) return { ...known, message, ...at };
  return {
    exit: exit.failed,
    code: "failed",
    message: path === undefined || message.includes(path) ? message : `${path}: ${message}`,
    ...at,
  };
}
