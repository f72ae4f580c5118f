/** A session → NDJSON of `session/update` notifications. */
import { fileIn, keepWhole, type SessionInput, type SessionPlan, type Target } from "@asp-convert/core";
import { projector } from "../projection/to-updates.js";

export async function writeSession(input: SessionInput, target: Target, child = false): Promise<SessionPlan> {
  const { ref, ledger, shared } = input;
  const children: SessionPlan[] = [];
  for (const each of input.children) children.push(await writeSession(each, target, true));
  async function* lines(): AsyncGenerator<string> {
    const project = projector({ harness: ref.harness });
    // Whose session it is, is said once.
    let meta: object | undefined = { _meta: { asp: { harness: ref.harness } } };
    for await (const event of input.events()) {
      if (event.type === "unknown.observed" && event.payload.value === undefined) {
        const axis = event.payload.reason === undefined ? "side-records" : "raw";
        ledger.leave(event, { axis, level: "dropped", reason: "no-counterpart" });
        continue;
      }
      keepWhole(event, ledger);
      for (const update of project(shared ? { ...event, origin: [] } : event)) {
        const params = { sessionId: ref.id, update, ...meta };
        meta = undefined;
        yield `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params })}\n`;
      }
    }
  }
  return {
    id: ref.id,
    ...(ref.cwd !== undefined && { cwd: ref.cwd }),
    actions: [{ do: "create", path: fileIn(target, ref.id, ".ndjson", child), content: lines }],
    children,
  };
}
