/** Carries out a plan on files in memory, by the rules that `apply` has for a disk. */
import { type Action, type Content, databaseWith, type SessionPlan } from "@asp-convert/core";
import { type Files, sourceOf } from "./files.js";

/** All actions of a session and of its children, children first, as the pipeline takes them. */
export function actionsOf(plan: SessionPlan): Action[] {
  return [...plan.children.flatMap(actionsOf), ...plan.actions];
}

/**
 * Does what the plan says: first every `create` in its order, then rows of databases, then what is added to or changed in shared files.
 * @param present what is there already; it is not changed.
 * @returns only the files that the plan made or changed.
 * @throws if the plan would replace a file by another one.
 */
export async function carryOut(plan: SessionPlan, present: Files = new Map()): Promise<Files> {
  const made: Files = new Map();
  const actions = actionsOf(plan);
  const at = (path: string) => made.get(path) ?? present.get(path);
  for (const action of actions) {
    if (action.do !== "create") continue;
    const bytes = await bytesOf(action.content);
    const there = at(action.path);
    if (there && !Buffer.from(there).equals(bytes)) throw new Error(`the plan would replace ${action.path}`);
    made.set(action.path, bytes);
    action.mtimeMs?.();
  }
  const rows = Map.groupBy(
    actions.filter((action) => action.do === "rows"),
    ({ path }) => path,
  );
  for (const [path, all] of rows) made.set(path, await databaseWith(sourceOf(present), path, all));
  for (const action of actions) {
    const before = "path" in action ? at(action.path) : undefined;
    if (action.do === "append") {
      const lines = action.lines();
      const text = before ? Buffer.from(before).toString("utf8") : "";
      const fresh = lines.split("\n").filter((line) => line !== "" && !text.split("\n").includes(line));
      const glue = text === "" || text.endsWith("\n") ? "" : "\n";
      made.set(action.path, Buffer.from(text + glue + fresh.map((line) => `${line}\n`).join("")));
    } else if (action.do === "edit") {
      made.set(action.path, Buffer.from(action.edit(before && Buffer.from(before).toString("utf8"))));
    }
  }
  return made;
}

/** Pulls a content whole. For what fits in memory only. */
export async function bytesOf(content: Content): Promise<Buffer> {
  if (typeof content === "string") return Buffer.from(content);
  if (content instanceof Uint8Array) return Buffer.from(content);
  const parts: Buffer[] = [];
  for await (const part of content())
    parts.push(typeof part === "string" ? Buffer.from(part) : Buffer.from(part));
  return Buffer.concat(parts);
}
