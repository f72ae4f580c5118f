import { hash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonical, sample } from "@asp-convert/conformance/toolbox";
import { beforeEach, describe, expect, it } from "vitest";
import { freshFolder, writeSample } from "../../test/store.js";
import type { Converter, SessionRef } from "../converter/contract.js";
import { createRegistry } from "../converter/registry.js";
import { LossLedger } from "../fidelity/ledger.js";
import { diskSource } from "../io/disk.js";
import type { Environment } from "../io/paths.js";
import { convert } from "../pipeline/convert.js";
import { undo } from "../pipeline/undo.js";
import { bundle } from "./index.js";
import { BundleManifest } from "./manifest.js";
import { verifyBundle } from "./verify.js";

const at = freshFolder();
let base: string;
let store: string;
let folder: string;
let environment: Environment;
beforeEach(() => {
  ({ base, environment } = at);
  store = join(base, "source");
  folder = join(base, "demo.asp");
  writeSample(store);
});

const other: Converter = { ...sample, id: "other", name: "Other" };

async function go(from: Converter, path: string, to: Converter, root: string) {
  const opened = await from.open(path, diskSource, environment);
  const refs: SessionRef[] = [];
  for await (const ref of from.sessions.list(opened, { source: diskSource, environment })) refs.push(ref);
  return convert({ from, store: opened, refs, to, root, environment, source: diskSource, installed: false });
}

const manifest = (): BundleManifest =>
  BundleManifest.parse(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")));

function bytesIn(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    found[path.slice(root.length)] = readFileSync(path, "latin1");
  }
  return found;
}

describe("export", () => {
  it("keeps everything: logs, native bytes, counts, hashes, the account", async () => {
    const report = await go(sample, store, bundle, folder);
    expect(report.sessions.map(({ outcome, newId, id }) => [outcome, newId === id])).toEqual([
      ["created", true],
      ["created", true],
    ]);
    expect(report.losses).toEqual([]);
    expect(report.sessions[0]?.resume).toBeUndefined();
    expect(report.sessions[0]?.relation).toBeUndefined();
    const { sessions } = manifest();
    expect(sessions).toHaveLength(2);
    const main = sessions.find(({ children }) => children.length > 0);
    expect(main).toMatchObject({
      harness: "sample",
      title: "Words counted",
      messages: 5,
      toolCalls: 2,
      harnessVersion: "1.4.0",
    });
    expect(main?.records).toEqual(report.sessions[0]?.records);
    expect(main?.events.count).toBe(
      readFileSync(join(folder, "sessions", main?.id ?? "", "events.ndjson"), "utf8")
        .trim()
        .split("\n").length,
    );
    expect(await verifyBundle(folder, diskSource)).toEqual({
      sessions: 2,
      events: sessions.reduce((sum, { events }) => sum + events.count, 0),
      blobs: 2,
      bytes: sessions.reduce((sum, { files }) => sum + (files[0]?.size ?? 0), 0),
      problems: [],
    });
  });

  it("makes the same bytes again: in the same place there is nothing to do", async () => {
    await go(sample, store, bundle, folder);
    const before = bytesIn(folder);
    const again = await go(sample, store, bundle, folder);
    expect(again.sessions.map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged"]);
    expect(again.receipt).toBeUndefined();
    await go(sample, store, bundle, join(base, "second.asp"));
    expect(bytesIn(join(base, "second.asp"))).toEqual(before);
  });

  it("takes another session into a bundle that is there, and undo takes it out again", async () => {
    await go(sample, store, bundle, folder);
    const before = bytesIn(folder);
    const id = "5a3b1c00-0000-4000-8000-00000000000f";
    const more = join(base, "more/sessions");
    mkdirSync(more, { recursive: true });
    writeFileSync(join(more, `${id}.jsonl`), `{"kind":"head","id":"${id}","dir":"/x","version":"1.4.0"}\n`);
    await go(sample, join(base, "more"), bundle, folder);
    expect(manifest().sessions.map(({ nativeSessionId }) => nativeSessionId)).toContain(id);
    expect(manifest().sessions).toHaveLength(3);
    expect((await verifyBundle(folder, diskSource)).problems).toEqual([]);
    await undo(undefined, environment);
    expect(bytesIn(folder)).toEqual(before);
  });
});

describe("import", () => {
  it("is recognised by its manifest, whole or by one session", async () => {
    await go(sample, store, bundle, folder);
    const registry = createRegistry([sample, bundle]);
    const options = { source: diskSource, environment };
    expect((await registry.detect(folder, options)).converter.id).toBe("bundle");
    expect((await registry.detect(join(folder, "manifest.json"), options)).store.root).toBe(folder);
    const { id } = manifest().sessions.find(({ children }) => children.length > 0) ?? { id: "" };
    const { store: one } = await registry.detect(join(folder, "sessions", id), options);
    expect(one).toEqual({ harness: "bundle", root: folder, focus: id });
  });

  it("holds other kinds without any session, and is then known by its name", async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, "AGENTS.md"), "Be kind.\n");
    const found = await createRegistry([sample, bundle]).detect(folder, { source: diskSource, environment });
    expect(found).toMatchObject({ converter: { id: "bundle" }, store: { root: folder }, score: 60 });
    expect((await go(bundle, folder, other, join(base, "target"))).sessions).toEqual([]);
    expect(await verifyBundle(folder, diskSource)).toMatchObject({ sessions: 0, problems: [] });
    await expect(bundle.open(base, diskSource, environment)).rejects.toThrow(/no manifest.json/);
  });

  it("goes back to its own harness byte for byte, under its own id; again: nothing to do; taken: a copy", async () => {
    await go(sample, store, bundle, folder);
    const back = join(base, "back");
    const report = await go(bundle, folder, sample, back);
    expect(report.sessions.map(({ how, outcome, id, newId }) => [how, outcome, id === newId])).toEqual([
      ["replayed", "created", true],
      ["replayed", "created", true],
    ]);
    const original = bytesIn(store);
    for (const [name, bytes] of Object.entries(bytesIn(back))) expect(bytes).toBe(original[name]);
    expect((await go(bundle, folder, sample, back)).sessions.map(({ outcome }) => outcome)).toEqual([
      "unchanged",
      "unchanged",
    ]);
    writeFileSync(report.sessions[0]?.files[0] ?? "", "something else");
    const copy = await go(bundle, folder, sample, back);
    expect(copy.sessions[0]).toMatchObject({ outcome: "copied", id: report.sessions[0]?.id });
    expect(copy.sessions[0]?.newId).not.toBe(report.sessions[0]?.id);
  });

  it("gives another harness exactly what a direct conversion gives", async () => {
    await go(sample, store, bundle, folder);
    const direct = await go(sample, store, other, join(base, "direct"));
    const through = await go(bundle, folder, other, join(base, "through"));
    expect(bytesIn(join(base, "through"))).toEqual(bytesIn(join(base, "direct")));
    expect(through.sessions.map(({ records }) => records)).toEqual(
      direct.sessions.map(({ records }) => records),
    );
    expect(through.axes).toEqual(direct.axes);
    expect(through.losses).toEqual(direct.losses);
    expect(through.sessions[0]?.relation?.type).toBe("handoff");
  });

  it("yields the very events that were exported, and can be exported again", async () => {
    await go(sample, store, bundle, folder);
    const read = async (converter: Converter, path: string) => {
      const opened = await converter.open(path, diskSource, environment);
      const source = (await converter.sessions.view?.(opened, diskSource)) ?? diskSource;
      const all = [];
      for await (const ref of converter.sessions.list(opened, { source, environment })) {
        for (const each of [ref, ...ref.children]) {
          const ledger = new LossLedger(each.id);
          for await (const event of converter.sessions.read(each, { source, environment, ledger }))
            all.push(event);
        }
      }
      return all;
    };
    expect((await read(bundle, folder)).map(canonical)).toEqual((await read(sample, store)).map(canonical));
    await go(bundle, folder, bundle, join(base, "again.asp"));
    expect(bytesIn(join(base, "again.asp"))).toEqual(bytesIn(folder));
  });
});

describe("a bundle is input from anywhere", () => {
  beforeEach(async () => {
    await go(sample, store, bundle, folder);
  });
  const path = (...parts: string[]) => join(folder, ...parts);
  const mainId = () => manifest().sessions.find(({ children }) => children.length > 0)?.id ?? "";
  const edit = (file: string, change: (text: string) => string) => {
    const before = readFileSync(file, "utf8");
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(file, after);
  };
  const refused = async (what: RegExp, to: Converter = sample) => {
    await expect(go(bundle, folder, to, join(base, "target"))).rejects.toThrow(what);
    expect(existsSync(join(base, "target"))).toBe(false);
    expect((await verifyBundle(folder, diskSource)).problems.join("\n")).toMatch(what);
  };

  it.each([
    ["../../../../etc/cron.d/x", /leaves its folder/],
    ["/etc/passwd", /not a relative path/],
    ["C:/x", /not a relative path/],
    ["sessions\\x", /not written plainly/],
    ["sessions/./x", /not written plainly/],
    ["con", /Windows reserves/],
  ])("a file called %s", async (relative, what) => {
    edit(path("manifest.json"), (text) =>
      text.replace(/"relative":"[^"]+"/, () => `"relative":${JSON.stringify(relative)}`),
    );
    await refused(what);
  });

  it("a blob of other bytes, or of another size", async () => {
    const blob = path("blobs", readdirSync(path("blobs"))[0] ?? "");
    const before = readFileSync(blob, "utf8");
    writeFileSync(blob, before.replace("42", "43"));
    await refused(/not those of its name/);
    writeFileSync(blob, `${before} `);
    await refused(/bytes; the manifest says/);
    rmSync(blob);
    await refused(/the bundle is incomplete/);
  });

  it("a blob that is not needed on the way elsewhere is told of", async () => {
    const told = async () => {
      const { losses } = await go(bundle, folder, other, join(base, "elsewhere"));
      return losses.filter(({ axis }) => axis === "raw").map(({ level, reason }) => [level, reason]);
    };
    expect(await told()).toEqual([]);
    const blob = path("blobs", readdirSync(path("blobs"))[0] ?? "");
    edit(blob, (text) => text.replace("42", "43"));
    expect(await told()).toEqual([["not-in-source", "damaged"]]);
    rmSync(blob);
    expect(await told()).toEqual([["not-in-source", "missing-file"]]);
  });

  it("a manifest that is cut off, spoilt, or of a newer program", async () => {
    const before = readFileSync(path("manifest.json"), "utf8");
    writeFileSync(path("manifest.json"), before.slice(0, -20));
    await refused(/manifest\.json: is no JSON: /);
    writeFileSync(path("manifest.json"), before.replace(/"version":\s*1/, '"version":999'));
    await refused(/newer asp-convert \(version 999\)/);
    writeFileSync(path("manifest.json"), `nonsense ${before}`);
    const found = await createRegistry([bundle, sample]).detect(folder, { source: diskSource, environment });
    expect(found.converter.id).toBe("bundle");
    await refused(/manifest\.json: is no JSON: /);
  });

  it("an event that was changed, added or left out", async () => {
    const log = path("sessions", mainId(), "events.ndjson");
    const before = readFileSync(log, "utf8");
    writeFileSync(log, before.replace("Let me count.", "Let me erase."));
    await refused(/sha256/, other);
    writeFileSync(log, before.split("\n").slice(1).join("\n"));
    await refused(/bytes; the manifest says/, other);
  });

  /** Changes the log and makes the manifest agree with it: what a forger does. */
  const forge = (change: (line: string) => string) => {
    const log = path("sessions", mainId(), "events.ndjson");
    edit(log, (text) =>
      text
        .split("\n")
        .map((line) => (line === "" ? line : change(line)))
        .join("\n"),
    );
    const bytes = readFileSync(log);
    const sha256 = hash("sha256", bytes);
    edit(path("manifest.json"), (text) =>
      text
        .split("\n")
        .map((line) =>
          line.startsWith(`{"id":"${mainId()}"`)
            ? line.replace(
                /"events":\{"sha256":"[0-9a-f]+","bytes":\d+/,
                `"events":{"sha256":"${sha256}","bytes":${bytes.length}`,
              )
            : line,
        )
        .join("\n"),
    );
  };

  it.each<[string, (line: string) => string, RegExp]>([
    [
      "of no known type",
      (line) => line.replace('"type":"turn.started"', '"type":"turn.invented"'),
      /line \d+: type/,
    ],
    [
      "with a payload of another shape",
      (line) => line.replace('"isError":true', '"isError":"yes"'),
      /isError/,
    ],
    [
      "past a file's end",
      (line) => line.replace(/"offset":\d{3,},/, '"offset":999999999,'),
      /past a file's end/,
    ],
    [
      "of another session",
      (line) => line.replace(/"sessionId":"[0-9a-f]{8}/, '"sessionId":"00000000'),
      /another session/,
    ],
    [
      "naming a record that is none",
      (line) => line.replace(/"record":1\}/, '"record":100000000}'),
      /record 100000000/,
    ],
    [
      "of bytes that are not there",
      (line) => line.replace(/"blob":"[0-9a-f]{8}/, '"blob":"00000000'),
      /not among/,
    ],
  ])("an event %s", async (_, change, what) => {
    forge(change);
    await refused(what, other);
  });

  it("an event whose id is not its content's is found by verify", async () => {
    forge((line) => line.replace(/"eventId":"[0-9a-f]{8}/, '"eventId":"00000000'));
    expect((await verifyBundle(folder, diskSource)).problems.join("\n")).toMatch(
      /event id is not that of its content/,
    );
  });

  it("a manifest that claims another id, a child of nobody, itself as a child", async () => {
    const before = readFileSync(path("manifest.json"), "utf8");
    const fake = "0".repeat(64);
    writeFileSync(
      path("manifest.json"),
      before.replace(/"children":\["[0-9a-f]{64}"/, `"children":["${fake}"`),
    );
    await refused(/a child .* that is not there/);
    writeFileSync(
      path("manifest.json"),
      before.replace(
        /"children":\["[0-9a-f]{64}"/,
        () => `"children":["${/"id":"([0-9a-f]{64})"[^\n]*"children":\["/.exec(before)?.[1]}"`,
      ),
    );
    await refused(/its own ancestor/);
    writeFileSync(path("manifest.json"), before.replace(/"nativeSessionId":"5/, '"nativeSessionId":"6'));
    await refused(/its id is not that of/);
    writeFileSync(path("manifest.json"), "{}");
    await refused(/format/);
    writeFileSync(path("manifest.json"), "[");
    await refused(/no JSON/);
  });

  it("a key that would change every object", async () => {
    forge((line) =>
      line.replace(
        '"arguments":{',
        '"arguments":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},',
      ),
    );
    await go(bundle, folder, other, join(base, "target"));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("a file that the harness keeps no session in", async () => {
    const extra = Buffer.from('{"mcpServers":{"evil":{"command":"sh"}}}');
    const blob = hash("sha256", extra);
    writeFileSync(path("blobs", blob), extra);
    edit(path("manifest.json"), (text) =>
      text.replace(
        /"files":\[/,
        () =>
          `"files":[${JSON.stringify({ relative: "config.json", role: "companion", blob, size: extra.length })},`,
      ),
    );
    // The transcript comes first: there the forger keeps it.
    const shifted = JSON.parse(readFileSync(path("manifest.json"), "utf8")) as BundleManifest;
    for (const session of shifted.sessions) if (session.files.length > 1) session.files.reverse();
    writeFileSync(path("manifest.json"), JSON.stringify(shifted));
    await expect(go(bundle, folder, sample, join(base, "target"))).rejects.toThrow(/config\.json/);
    expect(existsSync(join(base, "target"))).toBe(false);
  });

  it("files that the manifest does not name are told of by verify", async () => {
    cpSync(path("manifest.json"), path("blobs/extra"));
    expect((await verifyBundle(folder, diskSource)).problems).toEqual([
      `${path("blobs/extra")}: the manifest does not name it`,
    ]);
  });
});
