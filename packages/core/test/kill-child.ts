/** Run by a test: applies a plan and kills itself, as `kill -9` does, at the nth change of the disk. */
import { join } from "node:path";
import { apply } from "../src/index.js";

const [base = "", nth = "0"] = process.argv.slice(2);
const root = join(base, "store");
let step = 0;

await apply(
  [
    { do: "create", path: join(root, "new/a.jsonl"), content: "a\n".repeat(1000) },
    { do: "edit", path: join(root, "config"), edit: () => "edited", what: "config" },
    { do: "append", path: join(root, "index"), lines: () => "two\n" },
  ],
  {
    environment: {
      env: { ASP_HOME: join(base, "state") },
      home: base,
      platform: process.platform,
      cwd: base,
    },
    roots: [root],
    what: "a test",
    onStep: () => {
      if (++step === Number(nth)) process.kill(process.pid, "SIGKILL");
    },
  },
);
process.stdout.write(String(step));
