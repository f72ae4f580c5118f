import { nearest } from "@asp-convert/core";
import { UsageError } from "./errors.js";

/** A word that is no path, but nearly a command, was probably meant as one. */
export function explain(error: unknown, word: string, commands: readonly string[]): unknown {
  const isMissing = error instanceof Error && "why" in error && error.why === "missing";
  const isTooMany = error instanceof UsageError && error.message.startsWith("too many arguments");
  const [near] = (isMissing || isTooMany) && /^[a-z]+$/i.test(word) ? nearest(word, commands) : [];
  if (near === undefined) return error;
  return new UsageError(
    `"${word}" is neither a command nor a path that is there`,
    `Did you mean \`asp-convert ${near}\`?`,
  );
}
