/** Converters of strangers: found, used like those that are built in, and harmless to them when they are broken. */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { sampleFixture } from "@asp-convert/conformance/toolbox";
import { expect, test } from "vitest";
import { type Place, place, root } from "./run.js";

const toolbox = pathToFileURL(join(root, "packages/conformance/dist/toolbox.js")).href;

/** A harness like the kit's sample, of another name. */
const acme = (more = "", id = "acme") => `
  import { sample } from "${toolbox}";
  const probe = async (candidate) => ((await sample.probe(candidate)) > 0 ? 96 : 0);
  export default { ...sample, id: "${id}", name: "Acme Agent", probe, ${more} };
`;

function write(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

const installed = (name: string, code: string): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({
    name,
    version: "1.2.3",
    type: "module",
    exports: { ".": { import: "./entry.js" } },
  }),
  [`node_modules/${name}/entry.js`]: code,
});

/** A store of the sample harness on the disk. */
function store({ home }: Place): string {
  const folder = join(home, "acme-store");
  const fixture = sampleFixture();
  for (const [path, bytes] of fixture.files) {
    const there = join(folder, path.slice(fixture.root.length));
    mkdirSync(dirname(there), { recursive: true });
    writeFileSync(there, bytes);
  }
  return folder;
}

interface Listed {
  plugins: { id: string; from: string; plugin?: string; version?: string }[];
  broken: { name: string; from: string; problem: string }[];
}

async function listed(here: Place, ...args: string[]): Promise<Listed & { err: string }> {
  const { code, out, err } = await here.run(["plugins", "--json", ...args]);
  expect(code, err).toBe(0);
  return { ...(JSON.parse(out) as Listed), err };
}
const added = ({ plugins }: Listed) => plugins.filter(({ from }) => from !== "built-in");

test("a package in the project's package.json is there in every command, as what is built in", async () => {
  const here = place();
  write(here.cwd, {
    "package.json": JSON.stringify({
      devDependencies: { "@acme/asp-convert-acme": "1", "asp-converter": "1" },
    }),
    ...installed("@acme/asp-convert-acme", acme()),
  });
  const from = join(here.cwd, "package.json");
  expect(added(await listed(here))).toMatchObject([
    { id: "acme", from, plugin: "@acme/asp-convert-acme", version: "1.2.3" },
  ]);
  const path = store(here);
  const described = await here.run(["describe", path, "--json"]);
  expect(JSON.parse(described.out)).toMatchObject({ harness: "acme", name: "Acme Agent" });
  expect(described.err).toBe("");
  const { out: lines } = await here.run(["list", path, "--json"]);
  expect(JSON.parse(lines)).toMatchObject({ title: "Words counted" });
  const there = await here.run([path, "--to", "codex", "--out", join(here.home, "codex"), "--json"]);
  expect(JSON.parse(there.out)).toMatchObject({ from: { harness: "acme" }, to: { harness: "codex" } });
  const back = await here.run([
    join(here.home, "codex"),
    "--to",
    "acme",
    "--out",
    join(here.home, "a"),
    "--json",
  ]);
  expect(JSON.parse(back.out)).toMatchObject({ from: { harness: "codex" }, to: { harness: "acme" } });
  const { out: rows } = await here.run(["matrix", "--json"]);
  expect(rows).toContain('"acme"');
}, 60_000);

test("--plugin names a file, a folder or a package, before or after the command; --no-plugins leaves the project's out", async () => {
  const here = place();
  write(here.cwd, {
    "package.json": JSON.stringify({ dependencies: { "asp-convert-own": "1" } }),
    ...installed("asp-convert-own", acme("", "own")),
    ...installed("named", acme("", "named")),
    "folder/package.json": JSON.stringify({ type: "module", main: "./start.js" }),
    "folder/start.js": acme("", "folder"),
    "file.mjs": acme("", "file"),
  });
  const args = ["--plugin", "./file.mjs", "--plugin", "folder", "--plugin=named"];
  const all = await listed(here, ...args);
  expect(added(all).map(({ id }) => id)).toEqual(["file", "folder", "named", "own"]);
  const before = await here.run(["--plugin", "./file.mjs", "plugins", "--json"]);
  expect(added(JSON.parse(before.out)).map(({ id }) => id)).toEqual(["file", "own"]);
  expect(added(await listed(here, "--no-plugins", ...args)).map(({ id }) => id)).toEqual([
    "file",
    "folder",
    "named",
  ]);
}, 60_000);

test.each([
  ["asp.config.json", `{ "plugins": ["./a.mjs", "asp-convert-b"] }`, ["a", "b"]],
  ["asp.config.js", `export default { plugins: ["./a.mjs", "asp-convert-b"] }`, ["a", "b"]],
  [
    "asp.config.ts",
    `import c from "./c.mjs"; const plugins: unknown[] = [c, "asp-convert-b"]; export default { plugins };`,
    ["b", "c"],
  ],
])("%s names plugins; below the project too", async (name, text, ids) => {
  const here = place();
  write(here.cwd, {
    "package.json": JSON.stringify({ type: "module", dependencies: { "asp-convert-b": "1" } }),
    [name]: text,
    "a.mjs": acme("", "a"),
    "c.mjs": acme("", "c"),
    ...installed("asp-convert-b", acme("", "b")),
    "deep/down/x": "",
  });
  const found = await here.run(["plugins", "--json"], { shell: 'cd deep/down && "$@"' });
  expect(found.err).toBe("");
  expect(added(JSON.parse(found.out)).map(({ id }) => id)).toEqual(ids);
});

test("a broken plugin is told of by name, with what to do, and the others work", async () => {
  const here = place();
  const broken = {
    throws: "throw new Error('it is Monday')",
    syntax: "export default {",
    nothing: "export const x = 1",
    shape: "export default { id: 'x' }",
    newer: acme("contract: 99", "newer"),
    older: acme("contract: 0", "older"),
    claude: acme("", "claude"),
    twice: acme("", "acme"),
  };
  write(here.cwd, {
    "package.json": JSON.stringify({
      dependencies: Object.fromEntries(
        ["acme", ...Object.keys(broken), "gone"].map((name) => [`asp-convert-${name}`, "1"]),
      ),
    }),
    ...installed("asp-convert-acme", acme()),
    ...Object.assign(
      {},
      ...Object.entries(broken).map(([name, code]) => installed(`asp-convert-${name}`, code)),
    ),
  });
  const found = await listed(here, "--plugin", "nowhere");
  expect(added(found).map(({ id }) => id)).toEqual(["acme"]);
  const problems = Object.fromEntries(found.broken.map(({ name, problem }) => [name, problem]));
  expect(problems).toEqual({
    nowhere: expect.stringMatching(/not to be found from .*check the name, or install it here/),
    "asp-convert-throws": "it is Monday",
    "asp-convert-syntax": expect.stringMatching(/Unexpected end of input/),
    "asp-convert-nothing": "has no default export",
    "asp-convert-shape": expect.stringMatching(/defineConverter/),
    "asp-convert-newer": expect.stringMatching(/contract 99 .* update asp-convert/),
    "asp-convert-older": expect.stringMatching(/contract 0 .* update the plugin/),
    "asp-convert-claude": 'its id "claude" is taken (built in)',
    "asp-convert-twice": 'its id "acme" is taken (asp-convert-acme)',
    "asp-convert-gone": expect.stringMatching(/not to be found from .*run npm install there/),
  });
  for (const name of Object.keys(problems)) expect(found.err).toContain(`plugin ${name} is left out: `);
  const { code, out } = await here.run([here.store("claude", "plain"), "--to", "acme", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ to: { harness: "acme" } });
}, 60_000);

test("a configuration that cannot be read is told of, and nothing else suffers", async () => {
  const here = place();
  write(here.cwd, { "asp.config.json": "{ oops", "package.json": "{}" });
  const found = await listed(here);
  expect(found.broken).toMatchObject([{ name: "asp.config.json", problem: /asp\.config\.json: / }]);
  expect(found.plugins.length).toBeGreaterThan(4);
});

test("one that fails while it works does not keep the others from working", async () => {
  const here = place();
  const oops = `() => { throw new Error("oops"); }`;
  write(here.cwd, { "bad.mjs": acme(`probe: ${oops}, locate: ${oops}`, "bad") });
  write(here.home, { ".codex/sessions/x": "" });
  const all = await here.run(["list", "--plugin", "./bad.mjs", "--json"]);
  expect(all.code).toBe(0);
  expect(all.err).toMatch(/bad could not look for stores: oops/);
  const one = await here.run([here.store("claude", "plain"), "--plugin", "./bad.mjs", "--json"]);
  expect(JSON.parse(one.out)).toMatchObject({ harness: "claude" });
  expect((await here.run(["plugins", "--plugin", "./bad.mjs"])).err).toMatch(/bad could not say where/);
});

test("nothing is loaded from a folder that is being converted", async () => {
  const here = place();
  write(here.cwd, {
    "CLAUDE.md": "be kind",
    ".claude/settings.json": "{}",
    "asp.config.js": `import { writeFileSync } from "node:fs"; writeFileSync("ran", ""); export default {};`,
    "package.json": JSON.stringify({ type: "module", dependencies: { "asp-convert-evil": "1" } }),
    ...installed("asp-convert-evil", `import { writeFileSync } from "node:fs"; writeFileSync("ran", "");`),
  });
  const claude = here.store("claude", "plain");
  const ran = () => Object.keys(here.files(here.cwd)).includes("ran");
  for (const args of [
    ["."],
    [here.cwd, "--to", "codex", "--json"],
    [".claude"],
    [".."],
    [claude, "--to", "codex", "--project", "."],
    [claude, "--to", "codex", "--project", `/elsewhere=${here.cwd}`],
  ]) {
    const { err } = await here.run(args);
    expect(ran(), args.join(" ")).toBe(false);
    expect(err, args.join(" ")).toMatch(/plugins of .*here are not loaded, since it is what is converted/);
  }
  await here.run([claude]);
  expect(ran()).toBe(true);
}, 60_000);

/** A program of the sample harness: sends its model what was said, as the words of its own format are. */
const PROGRAM = `#!${process.execPath}
const fs = require("node:fs");
const [session, prompt] = process.argv.slice(2);
const { SAMPLE_HOME, URL_OF_MODEL } = process.env;
const lines = fs.readFileSync(SAMPLE_HOME + "/sessions/" + session + ".jsonl", "utf8").trim().split("\\n");
const messages = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "said").map(({ by, parts }) => ({
  role: by,
  content: parts.flatMap(({ text }) => (text === undefined ? [] : [{ type: "text", text }])),
}));
if (fs.readFileSync(SAMPLE_HOME + "/forget.json", "utf8") === "true") messages.length = 0;
messages.push({ role: "user", content: prompt });
fetch(URL_OF_MODEL + "/chat/completions", { method: "POST", body: JSON.stringify({ messages }) });
`;

test("verify --native resumes in the program of a plugin, as its converter says that it is started", async () => {
  const here = place();
  const plugin = (forgets: boolean) =>
    acme(`sessions: { ...sample.sessions, resume: { ...sample.sessions.resume, program: {
      dialect: "chat",
      name: "acme-agent",
      start: ({ session, prompt, url }) => ({
        args: [session, prompt], env: { URL_OF_MODEL: url }, files: { "forget.json": "${forgets}" },
      }),
    } } }`);
  write(here.cwd, { "acme.mjs": plugin(false), "new.mjs": plugin(true), "silent.mjs": acme() });
  write(here.home, { "bin/acme-agent": PROGRAM });
  chmodSync(join(here.home, "bin/acme-agent"), 0o755);
  const path = store(here);
  const before = here.files(path);
  const env = { PATH: [join(here.home, "bin"), process.env.PATH].join(delimiter) };
  const verify = async (file: string, more: Parameters<Place["run"]>[1] = { env }) => {
    const { code, out, err } = await here.run(
      ["--plugin", `./${file}`, "verify", path, "--native", "--json"],
      more,
    );
    return { code, said: out + err, checks: JSON.parse(out).verified?.[0].native };
  };
  const good = await verify("acme.mjs");
  expect(good).toMatchObject({ code: 0, checks: [{ ok: true, sent: { user: expect.any(Number) } }] });
  expect(good.checks[0].sent.user).toBeGreaterThan(0);
  const began = await verify("new.mjs");
  expect(began).toMatchObject({
    code: 1,
    checks: [{ ok: false, problem: expect.stringMatching(/it began a new one/) }],
  });
  expect((await verify("acme.mjs", {})).said).toMatch(/no `acme-agent` on the PATH/);
  expect(await verify("silent.mjs")).toMatchObject({
    code: 2,
    said: expect.stringMatching(/sessions\.resume\.program/),
  });
  // The program has worked in a copy, and nothing is remembered of making it.
  expect(here.files(path)).toEqual(before);
  expect((await here.run(["undo"], { env })).err).toMatch(/nothing/i);
}, 60_000);

test("a command that is shown names the plugins that the one before it named", async () => {
  const here = place();
  write(here.cwd, { "my plugins/acme.mjs": acme() });
  const { out, code } = await here.run(["--plugin", "my plugins/acme.mjs", "describe", store(here)]);
  expect({ out, code }).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^convert +asp-convert --plugin 'my plugins\/acme\.mjs' \S*acme-store --to codex$/m,
    ),
  });
});

test.each([
  [
    "list",
    "async *list() { throw new TypeError('it is Monday'); }",
    /failed while listing: TypeError: it is Monday/,
  ],
  ["read", "async *read() { null.monday; }", /failed while reading session 5a3b1c00-\S+: TypeError: /],
])("a plugin that throws while it is at work (%s) is told of by name", async (_, code, told) => {
  const here = place();
  write(here.cwd, { "acme.mjs": acme(`sessions: { ...sample.sessions, ${code} },`) });
  const path = store(here);
  const out = join(here.home, "out");
  const failed = await here.run(["--plugin", "./acme.mjs", "convert", path, "--to", "claude", "--out", out]);
  expect(failed).toMatchObject({ code: 1, out: "", err: expect.stringMatching(told) });
  expect(failed.err.match(/the converter acme \(Acme Agent\)/g)).toHaveLength(1);
  expect(existsSync(out)).toBe(false);
  const many = await here.run([
    "--plugin",
    "./acme.mjs",
    "batch",
    path,
    here.store("codex", "tools"),
    "--to",
    "claude",
    "--out",
    "many",
  ]);
  expect(many).toMatchObject({ code: 4, out: expect.stringMatching(/^ +done +\d+\n +failed +1: /m) });
  // What else there is is listed all the same.
  const others = await here.run(["--plugin", "./acme.mjs", "list", path, here.store("codex", "tools")]);
  expect(others).toMatchObject({ code: 0, out: expect.stringContaining("improve the README") });
});

test("ids that two stores share are of two sessions, where the converter says so", async () => {
  const here = place();
  const counting = (more: string) => `async *list(store, context) {
    for await (const ref of sample.sessions.list(store, context)) yield { ...ref, ${more} };
  },`;
  write(here.cwd, {
    "acme.mjs": acme(
      `sessions: { ...sample.sessions, ${counting('id: "1", harness: "acme", store: store.root, children: []')} },`,
    ),
  });
  const [one, two] = [join(here.home, "one"), join(here.home, "two")];
  for (const [folder, said] of [
    [one, "the first"],
    [two, "the second"],
  ] as const)
    write(folder, {
      "sample.json": "{}",
      "sessions/1.jsonl": [
        { kind: "head", id: "1", at: "2026-11-03T09:30:00.000Z", dir: "/work", version: "1" },
        {
          kind: "said",
          id: "m",
          at: "2026-11-03T09:30:01.000Z",
          by: "user",
          parts: [{ type: "text", text: said }],
        },
      ]
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(""),
    });
  const run = async (...args: string[]) => {
    const { code, out, err } = await here.run(["--plugin", "./acme.mjs", ...args]);
    expect(code, err).toBe(0);
    return out;
  };
  for (const path of [one, two]) await run("convert", path, "--to", "claude", "--out", "made", "--json");
  const kept = () =>
    run("log", "list", "--json").then((out) =>
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
  expect(await kept()).toMatchObject([
    { id: "1", store: one, revision: 1 },
    { id: "1", store: two, revision: 1 },
  ]);
  const { sessions, relations } = JSON.parse(await run("lineage", "1", "--json"));
  expect(sessions).toHaveLength(4);
  expect(relations.map(({ sourceStore }: { sourceStore: string }) => sourceStore)).toEqual([one, two]);
  expect(await here.run(["--plugin", "./acme.mjs", "log", "show", "1"])).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${two}/sessions/1.jsonl`),
  });
  expect(await run("log", "show", `${two}/sessions/1.jsonl`)).toContain(two);
  for (const path of [one, two]) await run("capture", path, "--once");
  expect(readdirSync(join(here.home, ".local/state/asp-convert/log/sessions"))).toHaveLength(2);
});
