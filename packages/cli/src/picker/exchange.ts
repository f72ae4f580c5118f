/** The last things that were said in a session. */
import { LossLedger } from "@asp-convert/core";
import { breathing } from "../breath.js";
import { saidIn } from "../search/texts.js";
import type { Terminal } from "../terminal.js";
import { registry, source } from "../toolkit.js";
import type { PreviewTask, Said } from "./messages.js";

/** Characters of each: more than a preview shows. */
const MOST = 2000;

/** The last prompt and the last answer to it. `overtaken`: nobody waits for it any more. */
export async function lastExchange(
  { harness, root, ref }: Pick<PreviewTask, "harness" | "root" | "ref">,
  { environment, signal }: Terminal,
  overtaken: () => boolean = () => false,
): Promise<Said[]> {
  const { sessions } = registry.get(harness);
  const files = (await sessions.view?.({ harness, root }, source)) ?? source;
  const context = { source: files, environment, ledger: new LossLedger(ref.id), signal };
  let [user, assistant]: (string | undefined)[] = [];
  const breath = breathing(signal);
  for await (const event of sessions.read(ref, context)) {
    const pause = breath();
    if (pause) {
      await pause;
      if (overtaken()) return [];
    }
    const text = event.branch === undefined ? saidIn(event) : "";
    if (text === "" || event.type !== "message.completed") continue;
    if (event.payload.role === "user") [user, assistant] = [text, undefined];
    else assistant = text;
  }
  const said = [
    { role: "user", text: user },
    { role: "assistant", text: assistant },
  ] as const;
  return said.flatMap(({ role, text }) => (text === undefined ? [] : { role, text: text.slice(0, MOST) }));
}
