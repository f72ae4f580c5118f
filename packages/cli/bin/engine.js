// The engine check. Plain JavaScript for old Nodes: nothing here may need a newer one than it complains about.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import * as nodeModule from "node:module";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

export const NEEDED = "22.15.0";
const REPLACED = "ASP_ENGINE"; // set for the child: whoever gets here a second time stops
const program = join(dirname(fileURLToPath(import.meta.url)), "asp-convert.js");
const executable = process.platform === "win32" ? "node.exe" : "node";

/**
 * Runs `load` if this Node is new enough; else the same command with a newer Node found on the machine, or one
 * that npm fetches when npm is what runs us; else says what to do.
 */
export async function start(load) {
  if (isEnough(process.versions.node)) return run(load);
  if (!process.env[REPLACED]) {
    const node = findNode() ?? fetchNode();
    if (node) return replace(node, [program, ...process.argv.slice(2)]);
  }
  say(`needs Node.js ${NEEDED} or newer; this is ${process.versions.node} (${process.execPath}).`);
  say("Install a current Node.js (https://nodejs.org), or let npm bring one along just for this:");
  say("  npx --yes --package=node@24 --package=asp-convert asp-convert …");
  process.exitCode = 1;
}

async function run(load) {
  // What is young gets 8 MB at once, and then stays at that (see src/heap.ts).
  setFlagsFromString("--semi-space-growth-factor=8");
  // A third off the start, from the second run on. Node keeps it in the system's folder for temporary files.
  nodeModule.enableCompileCache?.();
  try {
    await load();
  } catch (error) {
    if (!isUnbuilt(error)) throw error;
    say("this checkout is not built yet. Run `npm ci` in it (it builds), or `npm run build`.");
    process.exitCode = 1;
  }
}

/** dist/bin.js itself is not there: nothing else is a reason to say "build first". */
function isUnbuilt(error) {
  return (
    error?.code === "ERR_MODULE_NOT_FOUND" && !existsSync(join(dirname(program), "..", "dist", "bin.js"))
  );
}

export function isEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [needMajor, needMinor] = NEEDED.split(".").map(Number);
  return major > needMajor || (major === needMajor && minor >= needMinor);
}

/** A newer Node: in the node_modules around us or the person, on the PATH, or under a version manager. */
export function findNode() {
  const places = [...upward(dirname(program)), ...upward(process.cwd())].map((folder) =>
    join(folder, "node_modules", ".bin"),
  );
  places.push(...(process.env.PATH ?? "").split(delimiter), ...managed());
  const seen = new Set();
  for (const place of places) {
    const node = join(place, executable);
    if (!place || seen.has(node) || node === process.execPath || !existsSync(node)) continue;
    seen.add(node);
    const asked = spawnSync(node, ["--version"], { encoding: "utf8", timeout: 10_000 });
    if (asked.status === 0 && isEnough(asked.stdout.trim().replace(/^v/, ""))) return node;
  }
  return undefined;
}

/** `npx asp-convert`: whoever says that has npm fetch programs already, and npm itself asks before it does. */
function fetchNode() {
  const { npm_execpath: npm, npm_command: by } = process.env;
  if (!npm || by !== "exec") return undefined;
  say(`Node.js ${process.versions.node} is too old; asking npm for a newer one (once, about 40 MB) …`);
  const where = ["exec", "--package=node@24", "--", "node", "--print", "process.execPath"];
  const asked = spawnSync(process.execPath, [npm, ...where], {
    encoding: "utf8",
    stdio: ["inherit", "pipe", "inherit"],
  });
  const node = asked.status === 0 ? asked.stdout.trim() : "";
  return existsSync(node) ? node : undefined;
}

function* upward(folder) {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (at === dirname(at)) return;
  }
}

/** Where nvm, fnm, volta, asdf and mise keep their Nodes, newest first. */
function managed() {
  const home = homedir();
  const folders = [
    [process.env.NVM_DIR ?? join(home, ".nvm"), "versions/node", "bin"],
    [process.env.FNM_DIR ?? join(home, ".local/share/fnm"), "node-versions", "installation/bin"],
    [process.env.VOLTA_HOME ?? join(home, ".volta"), "tools/image/node", "bin"],
    [process.env.ASDF_DATA_DIR ?? join(home, ".asdf"), "installs/nodejs", "bin"],
    [process.env.MISE_DATA_DIR ?? join(home, ".local/share/mise"), "installs/node", "bin"],
  ];
  const newestFirst = (a, b) => b.localeCompare(a, "en", { numeric: true });
  return folders.flatMap(([root, versions, bin]) =>
    namesIn(join(root, versions))
      .filter((name) => isEnough(name.replace(/^v/, "")))
      .sort(newestFirst)
      .map((name) => join(root, versions, name, bin)),
  );
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Runs in our place: same streams, same exit, signals passed on. */
function replace(node, args) {
  const child = spawn(node, args, {
    stdio: "inherit",
    env: { ...process.env, [REPLACED]: process.versions.node },
  });
  // The terminal sends Ctrl-C to both: the child cleans up and ends first.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve) => {
    child.on("error", (error) => {
      say(`could not start ${node}: ${error.message}`);
      process.exitCode = 1;
      resolve();
    });
    child.on("exit", (code, signal) => {
      if (signal) process.kill(process.pid, signal);
      process.exitCode = code ?? 1;
      resolve();
    });
  });
}

function say(text) {
  process.stderr.write(`asp-convert: ${text}\n`);
}
