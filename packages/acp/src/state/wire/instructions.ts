/** Instructions: one AGENTS.md, whole. Of several texts each has a heading that says what it is for. */
import type { Instructions } from "@asp-convert/core";
import type { StateRest } from "../../forms/state.js";

type Files = Instructions["files"];

export function instructionsToWire({ files }: Instructions): { text: string; rest: StateRest } {
  return { text: joined(files), rest: { instructions: files } };
}

function joined(files: Files): string {
  const [only] = files;
  if (files.length === 1 && only && only.scope === "user" && only.globs === undefined) return only.text;
  return files.map((file) => `# ${headingOf(file)}\n\n${file.text.trim()}\n`).join("\n");
}

function headingOf({ scope, project, path, source, globs }: Files[number]): string {
  const where = project === undefined ? "everywhere" : `${project}${path === "" ? "" : `/${path}`}`;
  const only = globs === undefined ? "" : `, only for ${globs.join(", ")}`;
  return `${source} (${scope === "user" ? "everywhere" : where}${only})`;
}

/** The single texts count only while they are what the document was joined from: whoever edited it meant the document. */
export function instructionsFromWire(
  text: string,
  rest: StateRest | undefined | null,
  harness: string,
): Instructions {
  const files = rest?.instructions;
  if (files && joined(files) === text) return { files };
  return { files: [{ scope: "user", path: "", text, source: "AGENTS.md", from: harness }] };
}
