/** Writes `fixtures/shapes`: `node test/shapes/build/make.ts`. The files are committed; a test compares them. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brokenShapes } from "./claude-bytes.ts";
import { historyShapes } from "./claude-history.ts";
import { placeShapes } from "./claude-places.ts";
import { codexShapes } from "./codex-shapes.ts";
import type { Shape } from "./shape.ts";

export const shapes: readonly Shape[] = [...brokenShapes, ...historyShapes, ...placeShapes, ...codexShapes];

/** Every file of a shape, by its path in the shape's folder. */
export function filesOf({ files, ...about }: Shape): Map<string, Buffer> {
  const made = new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]));
  return made.set("case.json", Buffer.from(`${JSON.stringify(about, null, 2)}\n`));
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "../../../fixtures/shapes");
  rmSync(root, { recursive: true, force: true });
  for (const shape of shapes)
    for (const [path, bytes] of filesOf(shape)) {
      const target = join(root, shape.name, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes);
    }
}
