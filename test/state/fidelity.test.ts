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

/** The folder that is copied, and where the store lies in it. */
const COPIED = {
  claude: "config",
  codex: "codex-home",
  opencode: "home",
  kilo: "home",
  pi: "home/.pi/agent",
} as const;
const STORE = {
  claude: "",
  codex: "",
  opencode: ".local/share/opencode",
  kilo: ".local/share/kilo",
  pi: "",
} as const;
/** The folder of the project inside a fixture. */
const PROJECT = { claude: "project", codex: "project", opencode: "demo", kilo: "demo", pi: "demo" } as const;
type Id = keyof typeof STORE;

function declaredBy(id: Id, kind: StateKindName, way: "read" | "write", axis: StateAxis): Level {
  const given = harness[id][kind];
  if ("absent" in given) return way === "read" ? "not-in-source" : "dropped";
  return given.fidelity[way][axis] ?? "preserved";
}

const ids = Object.keys(STORE) as Id[];

describe.each(ids.flatMap((from) => ids.map((to) => [from, to] as const)))("%s → %s", (from, to) => {
  const names = readdirSync(join(fixtures, from)).filter((name) =>
    existsSync(join(fixtures, from, name, COPIED[from], STORE[from])),
  );
  test.each(names)("%s", async (name) => {
    world.put(`${from}/${name}/${COPIED[from]}`, "source");
    const hasProject = existsSync(join(fixtures, from, name, PROJECT[from]));
    if (hasProject) world.put(`${from}/${name}/${PROJECT[from]}`, "app");
    const projects = hasProject ? [realpathSync(world.path("app"))] : [];
    for (const consents of [{}, { allowTools: false, includeSecrets: false, dropRestrictions: true }]) {
      const { losses, items } = await move(world, {
        from,
        store: world.path("source", STORE[from]),
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
