/** What a converter declares of the kinds beside sessions, and what really happens on every captured store, agree. */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type StateKind, type StateKindName, stateKinds, through } from "@asp-convert/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fixtures, harness, makeWorld, move, type World } from "./world.js";

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

const STORE = { claude: "config", codex: "codex-home" } as const;
type Id = keyof typeof STORE;

function fidelityOf(id: Id, kind: StateKindName): StateKind<never>["fidelity"] {
  const given = harness[id][kind];
  if ("absent" in given) throw new Error(`${id} has no ${kind}`);
  return given.fidelity;
}

describe.each([
  ["claude", "codex"],
  ["codex", "claude"],
  ["claude", "claude"],
  ["codex", "codex"],
] as const)("%s → %s", (from, to) => {
  const names = readdirSync(join(fixtures, from)).filter((name) =>
    existsSync(join(fixtures, from, name, STORE[from])),
  );
  test.each(names)("%s", async (name) => {
    world.put(`${from}/${name}/${STORE[from]}`, "source");
    const hasProject = existsSync(join(fixtures, from, name, "project"));
    if (hasProject) world.put(`${from}/${name}/project`, "app");
    const projects = hasProject ? [realpathSync(world.path("app"))] : [];
    for (const consents of [{}, { allowTools: false, includeSecrets: false, dropRestrictions: true }]) {
      const { losses, items } = await move(world, {
        from,
        store: world.path("source"),
        to,
        root: world.path("target"),
        projects,
        state: consents,
        dryRun: true,
      });
      for (const { kind, axis, level, reason, places } of losses) {
        if (kind === "sessions" || reason === "consent-needed" || reason === "no-place") continue;
        const declared = through(
          fidelityOf(from, kind).read[axis as never] ?? "preserved",
          fidelityOf(to, kind).write[axis as never] ?? "preserved",
        );
        expect(declared, `${kind} ${axis} ${level} ${reason}: ${places[0]?.item ?? ""}`).not.toBe(
          "preserved",
        );
      }
      for (const item of items.filter(({ outcome }) => outcome === "left" || outcome === "changed")) {
        expect(item.reason, JSON.stringify(item)).toBeDefined();
      }
    }
  });
});

test("every kind is there in both", () => {
  for (const id of ["claude", "codex"] as const)
    for (const kind of stateKinds) expect(harness[id][kind]).not.toHaveProperty("absent");
});
