/**
 * Beside the picker, so that a key is answered at once whatever is being read: one thread finds the stores, lists them and
 * brings the index up to date; another one reads the end of the session that is pointed at.
 */
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { createTerminal } from "../terminal.js";
import type { FromStores, Preview, PreviewTask, Task } from "./messages.js";

if (!isMainThread && parentPort) {
  const port = parentPort;
  const task = workerData as Task;
  const terminal = createTerminal(process, new AbortController().signal, false);
  terminal.quiet = true;
  terminal.warn = (text) => tell({ kind: "problem", text });
  const tell = (message: FromStores) => port.postMessage(message);
  if (task.kind === "stores") {
    const { tellStores } = await import("./stores.js");
    await tellStores(task.index, tell, terminal);
    tell({ kind: "done" });
  } else {
    const [{ lastExchange }, { usePlugins }] = await Promise.all([
      import("./exchange.js"),
      import("../plugins/use.js"),
    ]);
    terminal.warn = () => {}; // said by the other thread
    await usePlugins({}, [], terminal);
    let newest = 0;
    port.on("message", async (one: PreviewTask) => {
      newest = one.turn;
      // Another one may be pointed at by now.
      await new Promise((resolve) => setImmediate(resolve));
      if (newest !== one.turn) return;
      const overtaken = () => newest !== one.turn;
      try {
        port.postMessage({
          turn: one.turn,
          said: await lastExchange(one, terminal, overtaken),
        } satisfies Preview);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        port.postMessage({ turn: one.turn, said: [], problem } satisfies Preview);
      }
    });
  }
}
