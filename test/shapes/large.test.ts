/**
 * P47: sizes that break what holds a file or a line whole. `ASP_LARGE=1` for the sizes people have met (600 MB in
 * one line, 2 GB in one file); without it, the smallest that show the same.
 */
import {
  ENVIRONMENT,
  sampleFixture,
  sessionsIn,
  sourceOf,
  TARGET_ROOT,
  withChildren,
} from "@asp-convert/conformance/toolbox";
import { type Converter, LossLedger, measure, type SessionRef, type Source } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { harnesses } from "../harnesses.js";
import { ClaudeLines, say, transcriptPath } from "./build/claude.js";
import { CodexLines, rolloutPath } from "./build/codex.js";
import { type Stretch, withVirtual } from "./virtual.js";

const LARGE = process.env.ASP_LARGE === "1";
const MB = 1_000_000;
const LINE = LARGE ? 600 * MB : 80 * MB;
const FILE = LARGE ? 2000 * MB : 150 * MB;
/** What a conversion may take beyond what the process had: the bound of a line, twice, and a window. */
const CEILING = 200 * MB;

interface Store {
  path: string;
  /** Lines before, and lines after what is large. */
  before: string[];
  after: string[];
  /** The beginning and the end of a record that holds a long text. */
  open: string;
  close: string;
}

const stores = {
  claude() {
    const lines = new ClaudeLines();
    lines.user("Before.");
    lines.assistant(say("Seen."));
    const before = [...lines.lines];
    const after = lines.last;
    lines.user("After.");
    lines.assistant(say("Seen too."));
    const open = `{"parentUuid":"${after}","type":"user","uuid":"5b000000-0000-4000-8000-00000000ffff","sessionId":"${lines.session}","timestamp":"2026-11-03T10:00:00.000Z","message":{"role":"user","content":"`;
    return {
      path: `/asp/source/${transcriptPath(lines).replace("config/", "")}`,
      before,
      after: lines.lines.slice(2),
      open,
      close: '"}}',
    };
  },
  codex() {
    const lines = new CodexLines({ paginated: true });
    lines.message("user", "Before.");
    lines.message("assistant", "Seen.");
    const before = [...lines.lines];
    lines.message("user", "After.");
    lines.message("assistant", "Seen too.");
    const open =
      '{"timestamp":"2026-11-03T10:00:00.000Z","ordinal":9,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"';
    return {
      path: `/asp/source/${rolloutPath(lines.thread).replace("codex-home/", "")}`,
      before,
      after: lines.lines.slice(3),
      open,
      close: '"}]}}',
    };
  },
} satisfies Record<string, () => Store>;

const lines = (list: readonly string[]) => Buffer.from(list.map((line) => `${line}\n`).join(""));

async function through(from: Converter, to: Converter, path: string, stretches: readonly Stretch[]) {
  const small = sourceOf(new Map([[path, lines(["{}"])]]));
  const source = withVirtual(small, path, stretches);
  const refs: SessionRef[] = await sessionsIn(from, "/asp/source", source);
  expect(refs.flatMap(withChildren)).toHaveLength(1);
  const ref = refs[0] as SessionRef;
  const ledger = new LossLedger(ref.id);
  const events = () => from.sessions.read(ref, { source, environment: ENVIRONMENT, ledger });
  const target = { root: TARGET_ROOT, environment: ENVIRONMENT, source: empty, copy: 0 };
  const plan = await to.sessions.write({ ref, ledger, source, events, children: [] }, target);
  let written = 0;
  for (const action of plan.actions) if (action.do === "create") written += await measure(action.content);
  return { written, account: ledger.settle(), losses: ledger.losses };
}

const empty: Source = sourceOf(new Map());

/** What the process took at most while `work` ran, beyond what it had taken before. */
async function growth(work: () => Promise<void>): Promise<number> {
  const before = process.resourceUsage().maxRSS;
  await work();
  return (process.resourceUsage().maxRSS - before) * 1024;
}

describe.each(Object.keys(stores) as (keyof typeof stores)[])("%s", (id) => {
  const from = harnesses[id].converter;
  const others = (Object.keys(stores) as (keyof typeof stores)[])
    .filter((other) => other !== id)
    .map((other) => harnesses[other].converter);

  test(`one line of ${LINE / MB} MB: declared, and what is around it crosses`, {
    timeout: 300_000,
  }, async () => {
    const { path, before, after, open, close } = stores[id]();
    const stretches = [
      lines(before),
      Buffer.from(open),
      { block: Buffer.alloc(MB, "A picture would stand here. "), times: LINE / MB },
      lines([close]),
      lines(after),
    ];
    for (const to of [from, ...others]) {
      const grown = await growth(async () => {
        const { losses, account } = await through(from, to, path, stretches);
        expect(account.mapped).toBeGreaterThanOrEqual(before.length);
        expect(losses).toContainEqual(
          expect.objectContaining({ axis: "raw", reason: "over-bound", count: 1 }),
        );
      });
      expect(grown).toBeLessThan(CEILING);
    }
  });

  test(`a file of ${FILE / MB} MB`, { timeout: 1_200_000 }, async () => {
    const { path, before, after } = stores[id]();
    // Side records: what most of a large file is made of.
    const side = lines([
      JSON.stringify({
        type: "zz-side",
        timestamp: "2026-11-03T10:00:00.000Z",
        payload: { type: "zz", text: "x".repeat(20_000) },
      }),
    ]);
    const stretches = [lines(before), { block: side, times: Math.ceil(FILE / side.length) }, lines(after)];
    for (const to of [from, ...others]) {
      const grown = await growth(async () => {
        const { account } = await through(from, to, path, stretches);
        expect(account.read).toBe(before.length + after.length + Math.ceil(FILE / side.length));
      });
      expect(grown).toBeLessThan(CEILING);
    }
  });
});

test("the virtual file is the bytes it says", () => {
  const [path = ""] = sampleFixture().files.keys();
  const source = withVirtual(sourceOf(sampleFixture().files), path, [
    Buffer.from("ab"),
    { block: Buffer.from("cd"), times: 3 },
    Buffer.from("e"),
  ]);
  return source.open(path).then((file) => {
    expect(file.size).toBe(9);
    expect(Buffer.from(file.read(0, 99)).toString()).toBe("abcdcdcde");
    expect(Buffer.from(file.read(3, 4)).toString()).toBe("dcdc");
  });
});
