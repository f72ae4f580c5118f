/** Where a session of a project goes, and what the program must find there to take the folder for that project's. */
import { type Action, pathOf, type Source, type Target } from "@asp-convert/core";
import { jsonEditor } from "@asp-convert/core/kinds";
import { HISTORY, isSlug, OWNER, REGISTRY, slugFor, stateFolder, TMP } from "../layout.js";
import { ownerOf, registry } from "./files.js";

export interface ProjectPlace {
  /** `tmp/<slug>` of the state folder, absolute. */
  folder: string;
  /** What makes it that project's: the registry's line, and the marks. */
  actions: Action[];
}

/**
 * @param wanted the folder's name in another store, taken if it is free here.
 * The program's own folder for the project comes first; a new one has a name that only this project can have.
 */
export async function placeFor(cwd: string, target: Target, wanted?: string): Promise<ProjectPlace> {
  const { root, source, environment } = target;
  const path = pathOf(environment);
  const state = await stateFolder(root, source, environment);
  const context = { source, environment };
  const known = await registry(state, context);
  const isOurs = async (slug: string) => {
    if ([...known].some(([owner, own]) => own === slug && owner !== cwd)) return false;
    for (const top of [TMP, HISTORY]) {
      const owner = await ownerOf(path.join(state, top, slug), new Map(), context);
      if (owner !== undefined && owner !== cwd) return false;
    }
    return true;
  };
  const mapped = known.get(cwd);
  const marked = await slugMarkedBy(cwd, state, target, context);
  let slug = slugFor(cwd);
  for (const candidate of [mapped, marked, wanted])
    if (candidate !== undefined && isSlug(candidate) && (await isOurs(candidate))) {
      slug = candidate;
      break;
    }
  const mark = (top: string): Action => ({
    do: "create",
    path: path.join(state, top, slug, OWNER),
    content: cwd,
  });
  const actions: Action[] = [];
  for (const top of [TMP, HISTORY])
    if ((await source.stat(path.join(state, top, slug, OWNER))) === undefined) actions.push(mark(top));
  if (mapped !== slug) {
    const editor = await jsonEditor();
    actions.push({
      do: "edit",
      path: path.join(state, REGISTRY),
      edit: (before) => editor.set(before ?? '{\n  "projects": {}\n}\n', ["projects", cwd], slug),
      what: `the folder of ${cwd}, in ${REGISTRY}`,
    });
  }
  return { folder: path.join(state, TMP, slug), actions };
}

/** A folder that says it is this project's, though the registry does not name it. */
async function slugMarkedBy(
  cwd: string,
  state: string,
  { environment }: Target,
  context: { source: Source; environment: Target["environment"] },
): Promise<string | undefined> {
  const path = pathOf(environment);
  for (const { name, kind } of await context.source.readDir(path.join(state, TMP)))
    if (kind !== "file" && (await ownerOf(path.join(state, TMP, name), new Map(), context)) === cwd)
      return name;
  return undefined;
}
