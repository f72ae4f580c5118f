/**
 * The session's own bytes in another store. Under its own id: verbatim. As a copy: the session's id replaced where
 * a field holds it, and for another folder the working directory, byte for byte nothing else.
 */
import type {
  Action,
  Content,
  EvidenceFile,
  SessionPlan,
  SessionRef,
  Source,
  Target,
} from "@asp-convert/core";
import { blocksOf, pathOf, uuidFrom } from "@asp-convert/core";
import { projectFolder } from "../layout.js";
import { inlineRoot } from "./inline.js";
import { Rewriter } from "./rewrite.js";

export async function replaySession(ref: SessionRef, files: Source, target: Target): Promise<SessionPlan> {
  const moved = target.cwd !== undefined && target.cwd !== ref.cwd;
  const id =
    target.copy === 0 && !moved
      ? ref.id
      : uuidFrom(`claude replay ${ref.id} ${target.copy} ${moved ? target.cwd : ""}`);
  const place: Place = { from: ref.id, id, oldCwd: ref.cwd, cwd: target.cwd ?? ref.cwd, moved };
  return plan(ref, files, target, place, id);
}

/** Where a session goes, and whether its records are made to say so. */
export interface Place {
  from: string;
  id: string;
  oldCwd: string | undefined;
  cwd: string | undefined;
  moved: boolean;
  /** Every byte stays: the program does not look at what the records say of id and folder. */
  verbatim?: boolean;
}

export function plan(ref: SessionRef, files: Source, target: Target, place: Place, id: string): SessionPlan {
  // A subagent inside its parent's transcript is there already.
  const own = inlineRoot(ref) === undefined ? ref.files : [];
  return {
    id,
    ...(place.cwd !== undefined && { cwd: place.cwd }),
    actions: own.map((file) => create(file, files, target, place)),
    children: ref.children.map((child) => plan(child, files, target, place, child.id)),
  };
}

function create({ path, relative }: EvidenceFile, files: Source, target: Target, place: Place): Action {
  const paths = pathOf(target.environment);
  const to = paths.join(target.root, ...placeOf(relative, place).split("/"));
  const text =
    !place.verbatim && /\.(jsonl|json)$/.test(relative) && (place.id !== place.from || place.moved);
  let mtime: number | undefined;
  const content: Content = async function* () {
    const file = await files.open(path);
    mtime = file.mtimeMs;
    try {
      const rewriter = text
        ? new Rewriter({
            id: [place.from, place.id],
            cwd: place.moved ? [place.oldCwd ?? "", place.cwd ?? ""] : undefined,
          })
        : undefined;
      for (const bytes of blocksOf(file)) yield rewriter ? rewriter.push(bytes) : bytes;
      if (rewriter) yield rewriter.end();
    } finally {
      file.close();
    }
  };
  return { do: "create", path: to, content, mtimeMs: () => mtime };
}

/** `projects/<folder>/<id>…` with the new folder and id; `file-history/<id>/…` and `tasks/<id>/…` likewise. */
function placeOf(relative: string, { from, id, cwd, moved }: Place): string {
  const parts = relative.split("/");
  if (parts[0] === "projects" && moved && cwd !== undefined) parts[1] = projectFolder(cwd);
  return parts
    .map((part, n) => (n > 0 && part === from ? id : part === `${from}.jsonl` ? `${id}.jsonl` : part))
    .join("/");
}
