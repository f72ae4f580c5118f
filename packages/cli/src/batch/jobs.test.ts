import { describe, expect, test } from "vitest";
import { jobsOf } from "./jobs.js";

const unit = (id: string, size: number, input = 0, path = `/store/${id}`) => ({
  ref: { harness: "claude", id, path, size },
  input,
});

describe("a batch is cut into jobs", () => {
  test("the longest first, each alone where it is long", () => {
    const jobs = jobsOf([unit("small", 10), unit("huge", 50_000_000), unit("large", 9_000_000)], 1);
    expect(jobs.map(({ units }) => units.map(({ ref }) => ref.id))).toEqual([["huge"], ["large"], ["small"]]);
  });

  test("small ones together, up to a number; every one once", () => {
    const units = Array.from({ length: 2000 }, (_, i) => unit(`s${i}`, 100));
    const jobs = jobsOf(units, 2);
    expect(Math.max(...jobs.map((job) => job.units.length))).toBe(64);
    expect(new Set(jobs.flatMap((job) => job.units)).size).toBe(2000);
  });

  test("few sessions are still several jobs, for every worker to have some", () => {
    expect(
      jobsOf(
        Array.from({ length: 32 }, (_, i) => unit(`s${i}`, 100)),
        2,
      ),
    ).toHaveLength(16);
  });

  test("copies of one session are in one job, in the order of their paths", () => {
    const jobs = jobsOf([unit("a", 5, 1, "/b/a"), unit("b", 7), unit("a", 5, 0, "/a/a")], 1);
    const [copies] = jobs.filter(({ units }) => units.length === 2);
    expect(copies?.units.map(({ ref }) => ref.path)).toEqual(["/a/a", "/b/a"]);
  });

  test("sessions of two stores are in two jobs", () => {
    const jobs = jobsOf(
      [...Array(20)].map((_, i) => unit(`s${i}`, 1, i % 2)),
      1,
    );
    for (const { units } of jobs) expect(new Set(units.map(({ input }) => input)).size).toBe(1);
  });
});
