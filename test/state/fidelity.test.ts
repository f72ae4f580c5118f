/** What a converter declares of the kinds beside sessions, and what really happens on every captured store, agree. */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Level, type StateAxis, type StateKindName, stateKinds, through } from "@asp-convert/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fixtures, harness, makeWorld, move, type World } from "./world.js";

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

const STORE = { claude: "config", codex: "codex-home", pi: "home/.pi/agent" } as const;
/** The folder of the project inside a fixture. */
const PROJECT = { claude: "project", codex: "project", pi: "demo" } as const;
type Id = keyof typeof STORE;

function declaredBy(id: Id, kind: StateKindName, way: "read" | "write", axis: StateAxis): Level {
  const given = harness[id][kind];
  if ("absent" in given) return way === "read" ? "not-in-source" : "dropped";
  return given.fidelity[way][axis] ?? "preserved";
}

describe.each([
  ["claude", "codex"],
  ["codex", "claude"],
  ["claude", "claude"],
  ["codex", "codex"],
  ["claude", "pi"],
  ["codex", "pi"],
  ["pi", "claude"],
  ["pi", "codex"],
  ["pi", "pi"],
] as const)("%s → %s", (from, to) => {
  const names = readdirSync(join(fixtures, from)).filter((name) =>
    existsSync(join(fixtures, from, name, STORE[from])),
  );
  test.each(names)("%s", async (name) => {
    world.put(`${from}/${name}/${STORE[from]}`, "source");
    const hasProject = existsSync(join(fixtures, from, name, PROJECT[from]));
    if (hasProject) world.put(`${from}/${name}/${PROJECT[from]}`, "app");
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
          declaredBy(from, kind, "read", axis as StateAxis),
          declaredBy(to, kind, "write", axis as StateAxis),
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
