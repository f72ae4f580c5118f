/** The most plain ACP client: every line that comes is kept as it came, in its order. */
import { type ChildProcess, spawn } from "node:child_process";

export type Line = Readonly<Record<string, unknown>> & {
  id?: number | string | null;
  method?: string;
  params?: Readonly<Record<string, unknown>>;
  result?: Readonly<Record<string, unknown>>;
  error?: { code: number; message: string; data?: unknown };
};

export interface Wire {
  readonly child: ChildProcess;
  /** What came in, oldest first; `raw` where it was no JSON. */
  readonly lines: Line[];
  readonly stderr: () => string;
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
  send(message: object): void;
  /** Resolves with the answer, also an error's. */
  ask(method: string, params: object): Promise<Line>;
  /** Resolves with the first line that fits, from now on or before; `from`: not before this one. */
  until(fits: (line: Line) => boolean, from?: number): Promise<Line>;
  /** Ends its input. */
  end(): void;
}

export interface Start {
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** What is answered to a permission question: an outcome, or nothing at all. */
  permission?: (params: Readonly<Record<string, unknown>>) => object | undefined;
}

export function startWire(command: readonly string[], { env, cwd, permission }: Start): Wire {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { env, cwd, stdio: ["pipe", "pipe", "pipe"] });
  const lines: Line[] = [];
  const watchers = new Set<() => void>();
  let rest: Buffer[] = [];
  let stderr = "";
  let lastId = 0;
  child.stdin.on("error", () => {});
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdout.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      take(Buffer.concat([...rest, chunk.subarray(from, at)]).toString());
      rest = [];
      from = at + 1;
    }
    rest.push(chunk.subarray(from));
  });
  const exited = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  void exited.then(() => tell());

  function take(text: string): void {
    let line: Line;
    try {
      line = JSON.parse(text) as Line;
    } catch {
      line = { raw: text };
    }
    lines.push(line);
    if (line.method === "session/request_permission" && permission) {
      const outcome = permission(line.params ?? {});
      if (outcome) send({ id: line.id, result: { outcome } });
    }
    tell();
  }

  function tell(): void {
    for (const watcher of watchers) watcher();
  }

  function send(message: object): void {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  function until(fits: (line: Line) => boolean, from = 0): Promise<Line> {
    return new Promise((resolve, reject) => {
      let seen = from;
      const look = () => {
        while (seen < lines.length) {
          const line = lines[seen++] as Line;
          if (!fits(line)) continue;
          watchers.delete(look);
          resolve(line);
          return;
        }
        if (child.exitCode === null && child.signalCode === null) return;
        watchers.delete(look);
        reject(new Error(`it ended before: ${stderr.slice(-2000)}`));
      };
      watchers.add(look);
      look();
    });
  }

  return {
    child,
    lines,
    stderr: () => stderr,
    exited,
    send,
    until,
    ask(method, params) {
      const id = ++lastId;
      const from = lines.length;
      send({ id, method, params });
      return until((line) => line.id === id && line.method === undefined, from);
    },
    end: () => child.stdin.end(),
  };
}
