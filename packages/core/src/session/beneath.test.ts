import { expect, test } from "vitest";
import type { SessionRef } from "../converter/contract.js";
import { LossLedger } from "../fidelity/ledger.js";
import { noteBeneath } from "./beneath.js";

const REF: SessionRef = { harness: "x", id: "s", path: "/s", files: [], size: 1, children: [], cwd: "/a" };

function axes(child: Partial<SessionRef>, above: Partial<SessionRef> = {}): string[] {
  const ledger = new LossLedger("s");
  noteBeneath({ ...REF, ...child }, { ...REF, ...above }, ledger);
  return ledger.losses.map(({ axis }) => axis);
}

test("what is as in the session above is not lost", () => {
  const git = { branch: "main", commit: "abc" };
  expect(axes({ git: { branch: "main" } }, { git })).toEqual([]);
  expect(axes({ title: "Look", titleFrom: "prompt" })).toEqual([]);
});

test("a folder, a branch and a title of its own are", () => {
  expect(axes({ cwd: "/b", git: { branch: "b" }, title: "Mine" })).toEqual(["cwd", "git", "title"]);
});
