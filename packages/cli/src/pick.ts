/** Bare `asp-convert` on a terminal: a session, a target, what would become of it; then it is written and run. */
import type { Terminal } from "./terminal.js";

export interface PickOptions {
  /** Numbered questions in place of a screen: for screen readers, and terminals that cannot be painted on. */
  plain: boolean;
  /** Search texts, and keep an index for that. */
  index: boolean;
}

export async function pick(options: PickOptions, terminal: Terminal): Promise<void> {
  if (options.plain || terminal.environment.env.TERM === "dumb") {
    const { pickPlainly } = await import("./picker/plain.js");
    return pickPlainly(options, terminal);
  }
  const { pickOnScreen } = await import("./picker/flow.js");
  return pickOnScreen(options, terminal);
}
