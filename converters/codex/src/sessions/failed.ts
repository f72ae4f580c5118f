/** Did a call fail? Codex has no flag for it: what its screen shows tells, else how the output begins. */
import { type Fields, fields, number, parsed, string } from "@asp-convert/core/values";

/** By the screen's record of a call (`item` of item_completed, or payload of a legacy `…_end`); undefined: it does not say. */
export function failedByDetail(detail: Fields | undefined): boolean | undefined {
  if (!detail) return undefined;
  const exit = number(detail.exit_code);
  if (exit !== undefined) return exit !== 0;
  if (typeof detail.success === "boolean") return !detail.success;
  const result = fields(detail.result);
  if (result) {
    if (result.Err !== undefined) return true;
    const inner = fields(result.Ok) ?? result;
    if (inner.isError === true) return true;
  }
  const status = string(detail.status);
  if (status === undefined) return undefined;
  return status === "failed" || status === "declined";
}

const EXIT =
  /^(?:Exit code: (-?\d+)\n|(?:Chunk ID: [^\n]*\n)?Wall time: [^\n]*\nProcess exited with code (-?\d+)\n)/;
const REFUSED =
  /^(?:unsupported call: |apply_patch verification failed: |aborted(?: by user)?$|Wall time: [^\n]*\naborted by user)/;

/** By the text that the model was given. */
export function failedByText(text: string): boolean {
  const head = text.slice(0, 400);
  const exit = EXIT.exec(head);
  if (exit) return Number(exit[1] ?? exit[2]) !== 0;
  if (REFUSED.test(head)) return true;
  // 2025: `{"output": "…", "metadata": {"exit_code": 1, …}}` as text.
  if (!head.startsWith('{"output":') && !head.startsWith('{"metadata":')) return false;
  const code = number(fields(fields(parsed(text))?.metadata)?.exit_code);
  return code !== undefined && code !== 0;
}
