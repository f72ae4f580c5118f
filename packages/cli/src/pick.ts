/** Bare `asp-convert` on a terminal: a session, a target, what would become of it; then it is written and run. */
import type { PickOptions } from "./picker/options.js";
import type { Terminal } from "./terminal.js";

export async function pick(options: PickOptions, terminal: Terminal): Promise<void> {
  if (options.plain || terminal.environment.env.TERM === "dumb") {
    const { pickPlainly } = await import("./picker/plain.js");
    return pickPlainly(options, terminal);
  }
  const { pickOnScreen } = await import("./picker/flow.js");
  return pickOnScreen(options, terminal);
}
