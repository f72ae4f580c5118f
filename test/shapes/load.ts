/** The synthetic cases of `fixtures/shapes`, as the build scripts left them there. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Fixture, loadFixture } from "@asp-convert/conformance/toolbox";
import { fixturesRoot, harnesses } from "../harnesses.ts";
import type { Shape } from "./build/shape.ts";

export interface ShapeCase {
  name: string;
  harness: Shape["harness"];
  pains: readonly string[];
  what: string;
  right: string;
}

const root = join(fixturesRoot, "shapes");

export function shapeCases(): ShapeCase[] {
  return readdirSync(root)
    .sort()
    .map((name) => JSON.parse(readFileSync(join(root, name, "case.json"), "utf8")) as ShapeCase);
}

export function loadShape({ name, harness }: Pick<ShapeCase, "name" | "harness">): Promise<Fixture> {
  return loadFixture(join(root, name, harnesses[harness].store), name);
}

export function shapeFixtures(harness: string): Promise<Fixture[]> {
  return Promise.all(
    shapeCases()
      .filter((shape) => shape.harness === harness)
      .map(loadShape),
  );
}
