import { expect, test } from "vitest";
import { sampleFixture } from "../sample/fixture.js";
import { sample } from "../sample/index.js";
import { fuzzOnce } from "./fuzz.js";
import { mutate } from "./mutate.js";
import { randomFrom } from "./random.js";

const subject = { converter: sample, fixtures: [sampleFixture()], targets: [sample] };

test("the same seed makes the same bytes, another one others", () => {
  const bytes = [...sampleFixture().files.values()].map((file) => Buffer.from(file));
  const made = (seed: number) => mutate(randomFrom(seed), bytes[1] ?? Buffer.alloc(0), bytes);
  expect(made(5)).toEqual(made(5));
  const different = new Set(Array.from({ length: 50 }, (_, seed) => made(seed).bytes.toString("latin1")));
  expect(different.size).toBeGreaterThan(45);
});

test("the sample harness stands 400 seeds", { timeout: 60_000 }, async () => {
  for (let seed = 0; seed < 400; seed++) expect(await fuzzOnce(subject, seed)).toBeUndefined();
});

test("a reader that trusts its input is found out", async () => {
  const trusting = {
    ...sample,
    sessions: {
      ...sample.sessions,
      async *read(...[ref, context]: Parameters<typeof sample.sessions.read>) {
        const text = Buffer.from((await context.source.readFile(ref.path)) ?? []).toString();
        for (const line of text.split("\n")) if (line) JSON.parse(line);
        yield* sample.sessions.read(ref, context);
      },
    },
  };
  const findings = [];
  for (let seed = 0; seed < 30; seed++)
    findings.push(await fuzzOnce({ ...subject, converter: trusting }, seed));
  expect(JSON.stringify(findings)).toContain("threw SyntaxError");
});
