/**
 * Turns of the rollout being written: the screen shows only what stands inside one. The source's own turns are kept;
 * where it has none, each message of the person begins one.
 */
import { uuidFrom } from "@asp-convert/core";
import type { Lines } from "./lines.js";

export class Turns {
  readonly #lines: Lines;
  readonly #thread: string;
  #count = 0;
  #open: { id: string; started: number; own: boolean; empty: boolean } | undefined;

  constructor(lines: Lines, thread: string) {
    this.#lines = lines;
    this.#thread = thread;
  }

  /** The source began a turn. @param id the source's; kept where it comes from Codex. */
  started(id: string, native: boolean): void {
    this.#close("completed");
    this.#begin(native ? id : undefined, false);
  }

  /** False: it has another id here. */
  completed(id: string, status: "completed" | "failed" | "cancelled", error?: string): boolean {
    const same = this.#open?.id === id;
    this.#close(status, error);
    return same;
  }

  /** The person said something. @param queued while a turn ran: it belongs to that one. */
  heard(queued: boolean): void {
    const { own, empty } = this.#open ?? { own: true, empty: false };
    if (this.#open && own && !empty && !queued) this.#close("completed");
    this.ensure();
  }

  /** The id of the turn that is open; opens one if none is. */
  ensure(): string {
    if (!this.#open) this.#begin(undefined, true);
    const open = this.#open as { id: string; empty: boolean };
    open.empty = false;
    return open.id;
  }

  end(): void {
    this.#close("completed");
  }

  #begin(id: string | undefined, own: boolean): void {
    const turn = id ?? uuidFrom(`${this.#thread} turn ${++this.#count}`);
    const started = seconds(this.#lines.time);
    this.#open = { id: turn, started, own, empty: true };
    this.#lines.add(
      "event_msg",
      `{"type":"task_started","turn_id":${JSON.stringify(turn)},"started_at":${started},"model_context_window":null,"collaboration_mode_kind":"default"}`,
    );
  }

  #close(status: "completed" | "failed" | "cancelled", error?: string): void {
    if (!this.#open) return;
    const { id, started, own } = this.#open;
    // A turn of our own making ended with the last thing in it, not when the next one began.
    const at = own ? this.#lines.last : this.#lines.time;
    this.#open = undefined;
    const turn = JSON.stringify(id);
    if (status === "cancelled") {
      this.#lines.add("event_msg", `{"type":"turn_aborted","turn_id":${turn},"reason":"interrupted"}`, at);
      return;
    }
    const ended = seconds(at);
    const failure =
      status === "failed"
        ? `,"error":${JSON.stringify({ message: (error ?? "failed").toWellFormed(), codex_error_info: "other" })}`
        : "";
    this.#lines.add(
      "event_msg",
      `{"type":"task_complete","turn_id":${turn},"last_agent_message":null${failure},"started_at":${started},"completed_at":${ended},"duration_ms":${Math.max(0, ended - started) * 1000}}`,
      at,
    );
  }
}

function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}
