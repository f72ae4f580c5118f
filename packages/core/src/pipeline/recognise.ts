/**
 * Whether the files a wrapping (a bundle) names as a session's are what the harness itself would take for one.
 * Else a bundle could bring a `config.toml` along, or anything else that a program reads and runs.
 */
import { type Converter, type ReadContext, RefusedError, type SessionRef } from "../converter/contract.js";

/**
 * @returns false if the harness finds no such session in them: then it is written from its events.
 * @throws RefusedError if there are files beside it that are none of its own.
 */
export async function recognises(
  to: Converter,
  ref: SessionRef,
  context: Omit<ReadContext, "ledger">,
): Promise<boolean> {
  const [first] = ref.files;
  if (!first?.path.endsWith(`/${first.relative}`)) return false;
  const root = first.path.slice(0, -first.relative.length - 1);
  for await (const found of to.sessions.list({ harness: to.id, root }, context)) {
    if (found.id !== ref.id) continue;
    const own = new Set(filesOf(found));
    const foreign = filesOf(ref).filter((relative) => !own.has(relative));
    if (foreign.length === 0) return true;
    throw new RefusedError(
      `session ${ref.id} comes with files that ${to.name} does not keep a session in (${foreign.join(", ")}). Nothing was written.`,
    );
  }
  return false;
}

function filesOf(ref: SessionRef): string[] {
  return [...ref.files.map(({ relative }) => relative), ...ref.children.flatMap(filesOf)];
}
