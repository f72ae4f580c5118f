/** Codex records for the shapes, in both layouts. */

type Fields = Readonly<Record<string, unknown>>;

const START = Date.UTC(2026, 10, 3, 9, 0, 0);

export interface Options {
  thread?: string;
  version?: string;
  /** With ordinals, and `item_completed` for what is shown. */
  paginated?: boolean;
  cwd?: string;
  meta?: Fields;
}

/** A rollout in the making; the session_meta stands first. */
export class CodexLines {
  readonly thread: string;
  readonly lines: string[] = [];
  readonly #paginated: boolean;
  #count = 0;
  #now = START;

  constructor({
    thread = "01a10000-0000-7000-8000-000000000001",
    version = "0.171.0",
    paginated = false,
    cwd = "/home/dev/demo",
    meta = {},
  }: Options = {}) {
    this.thread = thread;
    this.#paginated = paginated;
    this.add("session_meta", {
      id: thread,
      timestamp: new Date(START).toISOString(),
      cwd,
      originator: "codex-tui",
      cli_version: version,
      source: "cli",
      ...(paginated ? { history_mode: "paginated" } : {}),
      ...meta,
    });
  }

  raw(record: unknown): void {
    this.lines.push(typeof record === "string" ? record : JSON.stringify(record));
  }

  add(type: string, payload: Fields): void {
    this.#now += 1000;
    const ordinal = this.#paginated ? { ordinal: this.#count } : {};
    this.#count++;
    this.raw({ timestamp: new Date(this.#now).toISOString(), ...ordinal, type, payload });
  }

  /** What the model is sent. */
  item(payload: Fields): void {
    this.add("response_item", payload);
  }

  message(role: "user" | "assistant" | "developer", text: string, fields: Fields = {}): void {
    const type = role === "assistant" ? "output_text" : "input_text";
    this.item({ type: "message", role, content: [{ type, text }], ...fields });
  }

  /** What the screen shows, older layout. */
  event(type: string, fields: Fields = {}): void {
    this.add("event_msg", { type, ...fields });
  }

  /** What the screen shows, newer layout. */
  shown(turn: string, item: Fields): void {
    this.event("item_completed", { thread_id: this.thread, turn_id: turn, item, completed_at_ms: this.#now });
  }

  call(id: string, args: unknown = { cmd: "ls" }, name = "exec_command"): void {
    this.item({ type: "function_call", name, arguments: JSON.stringify(args), call_id: id });
  }

  output(id: string, output: unknown): void {
    this.item({ type: "function_call_output", call_id: id, output });
  }

  text(end = "\n"): string {
    return this.lines.map((line) => line + end).join("");
  }
}

export const rolloutPath = (thread: string, day = "2026/11/03") =>
  `codex-home/sessions/${day}/rollout-${day.replaceAll("/", "-")}T09-00-00-${thread}.jsonl`;
