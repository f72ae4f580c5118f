/**
 * The command once more, in few files (dist/start): reading three hundred small ones is most of what a start takes.
 * What comes from elsewhere stays where it is.
 */
import { build } from "rolldown";

await build({
  // The worker of a batch is a program of its own.
  input: { bin: "dist/bin.js", "batch-worker": "dist/batch/worker.js" },
  platform: "node",
  external: (id) => !/^(?:\.{0,2}\/|[A-Za-z]:|@asp-convert\/)/.test(id),
  output: { dir: "dist/start", cleanDir: true },
});
