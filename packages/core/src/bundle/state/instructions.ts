/** `AGENTS.md` of a bundle: every instruction text whole, each in a marked block that says where it belongs. */
import type { Item, KindContext, KindPlan, KindTarget, StateKind } from "../../converter/kinds.js";
import type { Store } from "../../converter/store.js";
import { belonging } from "../../kinds/account.js";
import { putBlock, splitBlocks } from "../../kinds/edit/markdown-block.js";
import { readText } from "../../kinds/text.js";
import type { Import, Instruction, Instructions } from "../../state/instructions.js";
import { bundleStateFidelity } from "./fidelity.js";
import { manifestThere } from "./files.js";

export const instructions: StateKind<Instructions> = { read, write, fidelity: bundleStateFidelity };

async function read(store: Store, { source }: KindContext): Promise<Instructions | undefined> {
  const text = (await readText(source, `${store.root}/AGENTS.md`))?.text;
  if (text === undefined) return undefined;
  const { own, blocks } = splitBlocks(text);
  const files = blocks.flatMap(({ marks, text: inner }): Instruction[] => {
    const { scope, file, from, path = "", project, globs, imports } = marks;
    if ((scope !== "user" && scope !== "project" && scope !== "local") || !file || !from) return [];
    return [
      {
        scope,
        path,
        text: inner,
        source: file,
        from,
        ...(project !== undefined && { project }),
        ...(globs !== undefined && { globs: globs.split("\n") }),
        ...(imports !== undefined && { imports: importsOf(imports) }),
      },
    ];
  });
  // What somebody wrote into it by hand is instructions too.
  if (own.trim() !== "")
    files.unshift({ scope: "user", path: "", text: own, source: "AGENTS.md", from: "bundle" });
  return files.length > 0 ? { files } : undefined;
}

/** `status in path`, one a line. */
function importsOf(text: string): Import[] {
  return text.split("\n").flatMap((line): Import[] => {
    const [, status, within, path] = /^(found|missing|outside|cycle|deep)\t([^\t]*)\t(.*)$/.exec(line) ?? [];
    return status === undefined
      ? []
      : [{ status: status as Import["status"], in: within ?? "", path: path ?? "" }];
  });
}

async function write(state: Instructions, target: KindTarget): Promise<KindPlan> {
  const path = `${target.root}/AGENTS.md`;
  const before = (await readText(target.source, path))?.text;
  const texts = state.files.map((file) => ({ file, marks: marksOf(file) }));
  const edit = (had: string | undefined): string =>
    texts.reduce<string | undefined>((text, { file, marks }) => putBlock(text, marks, file.text), had) ?? "";
  const there = before === undefined ? [] : splitBlocks(before).blocks;
  const items = texts.map(({ file, marks }): Item => {
    const same = there.some(
      (block) => block.text === file.text && JSON.stringify(block.marks) === JSON.stringify(marks),
    );
    return { ...belonging(file, file.source), outcome: same ? "present" : "written" };
  });
  return {
    actions: [manifestThere(target), { do: "edit", path, edit, what: "instructions", mode: 0o644 }],
    items,
  };
}

function marksOf({
  scope,
  source,
  from,
  path,
  project,
  globs,
  imports,
}: Instruction): Record<string, string> {
  return {
    scope,
    file: source,
    from,
    ...(path !== "" && { path }),
    ...(project !== undefined && { project }),
    ...(globs && { globs: globs.join("\n") }),
    ...(imports && { imports: imports.map((one) => `${one.status}\t${one.in}\t${one.path}`).join("\n") }),
  };
}
