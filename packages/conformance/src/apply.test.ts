import type { SessionPlan } from "@asp-convert/core";
import { expect, test } from "vitest";
import { carryOut } from "./apply.js";

const text = (files: ReadonlyMap<string, Uint8Array>) =>
  Object.fromEntries([...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));

const plan = (actions: SessionPlan["actions"], children: SessionPlan[] = []): SessionPlan => ({
  id: "x",
  actions,
  children,
});

test("creates first, then adds lines and edits, with what the creating told", async () => {
  let pulled = 0;
  const made = await carryOut(
    plan([
      { do: "append", path: "/t/index", lines: () => `old\nnew ${pulled}\n` },
      { do: "edit", path: "/t/config", what: "x", edit: (before) => `${before ?? "none"}+1` },
      {
        do: "create",
        path: "/t/a",
        async *content() {
          pulled++;
          yield "one ";
          yield Buffer.from("two");
        },
      },
    ]),
    new Map([["/t/index", Buffer.from("old\n")]]),
  );
  expect(text(made)).toEqual({ "/t/a": "one two", "/t/index": "old\nnew 1\n", "/t/config": "none+1" });
});

test("does children first, and never replaces a file", async () => {
  const child = plan([{ do: "create", path: "/t/a", content: "same" }]);
  expect(text(await carryOut(plan([{ do: "create", path: "/t/a", content: "same" }], [child])))).toEqual({
    "/t/a": "same",
  });
  await expect(carryOut(plan([{ do: "create", path: "/t/a", content: "other" }], [child]))).rejects.toThrow(
    "would replace /t/a",
  );
});
