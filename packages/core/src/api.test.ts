/**
 * The public API by name. A name that goes or changes its meaning is a new major version (docs/write-a-converter.md,
 * "What stays"); one that comes is added here on purpose.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as core from "./index.js";
import * as kinds from "./kinds.js";
import * as schema from "./schema.js";
import * as values from "./values.js";

describe.each(Object.entries({ core, kinds, schema, values }))("%s", (_, module) => {
  it("exports exactly these names", () => {
    expect(Object.keys(module).sort().join("\n")).toMatchSnapshot();
  });
});

/** The types' names, as the source exports them: at run time there are none. */
function typesOf(file: string): string[] {
  const text = readFileSync(join(import.meta.dirname, file), "utf8");
  const lists = [...text.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, all, names = ""]) =>
    names
      .split(",")
      .flatMap((name) =>
        all || /^\s*type /.test(name) ? [name.replace(/^\s*type |.* as /g, "").trim()] : [],
      ),
  );
  const whole = [...text.matchAll(/export (?:type )?\* from "(.*)\.js"/g)].flatMap(([, path]) =>
    typesOf(join(dirname(file), `${path}.ts`)),
  );
  const own = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].flatMap(([, name]) => name ?? []);
  return [...new Set([...lists, ...whole, ...own])].filter((name) => name !== "").sort();
}

it.each(["index.ts", "kinds.ts", "schema.ts", "values.ts"])("%s exports exactly these types", (file) => {
  expect(typesOf(file).join("\n")).toMatchSnapshot();
});

describe("types of the contract", () => {
  it("a converter is made by defineConverter, which knows the contract", () => {
    expectTypeOf(core.defineConverter).parameter(0).toEqualTypeOf<Omit<core.Converter, "contract">>();
    expectTypeOf(core.defineConverter).returns.toEqualTypeOf<core.Converter>();
    expectTypeOf<core.Converter["id"]>().toEqualTypeOf<string>();
  });

  it("a reader gives events one by one, a writer a plan", () => {
    type Sessions = core.Converter["sessions"];
    expectTypeOf<ReturnType<Sessions["list"]>>().toEqualTypeOf<AsyncIterable<core.SessionRef>>();
    expectTypeOf<ReturnType<Sessions["read"]>>().toEqualTypeOf<AsyncIterable<core.SessionEvent>>();
    expectTypeOf<ReturnType<Sessions["write"]>>().toEqualTypeOf<Promise<core.SessionPlan>>();
    expectTypeOf<ReturnType<Sessions["replay"]>>().toEqualTypeOf<Promise<core.SessionPlan>>();
    expectTypeOf<keyof Sessions["fidelity"]["read"]>().toEqualTypeOf<core.SessionAxis>();
  });

  it("how its program is started may be said, and then whole", () => {
    type Resume = core.Converter["sessions"]["resume"];
    expectTypeOf<Resume["program"]>().toEqualTypeOf<core.Program | undefined>();
    expectTypeOf<core.Program["start"]>().parameter(0).toEqualTypeOf<core.ProgramPlace>();
    expectTypeOf<{ args: string[] }>().toExtend<core.ProgramStart>();
    expectTypeOf<{ env: Record<string, string> }>().not.toExtend<core.ProgramStart>();
  });

  it("a kind is there, or absent with a sentence", () => {
    type Kind = core.Converter["memory"];
    expectTypeOf<Extract<Kind, core.Absent>>().toEqualTypeOf<{ absent: string; unread?: true }>();
    expectTypeOf<{ absent: number }>().not.toExtend<Kind>();
  });

  it("an event's payload is that of its type", () => {
    const made = core.event(
      "tool.completed",
      { toolCallId: "c", result: [], isError: false },
      { origin: [] },
    );
    expectTypeOf(made).toEqualTypeOf<core.EventOf<"tool.completed">>();
    expectTypeOf(made.payload.isError).toEqualTypeOf<boolean>();
    // @ts-expect-error a result says whether it failed
    core.event("tool.completed", { toolCallId: "c", result: [] }, { origin: [] });
    // @ts-expect-error there is no such type of event
    core.event("tool.done", {}, { origin: [] });
  });

  it("a level and a reason are of a closed list", () => {
    expectTypeOf<core.Level>().toEqualTypeOf<
      "preserved" | "partial" | "evidence-only" | "dropped" | "not-in-source"
    >();
    expectTypeOf<"because">().not.toExtend<core.Reason>();
  });
});
