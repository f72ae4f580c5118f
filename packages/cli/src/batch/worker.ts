/** A worker thread of a batch: does one job after the other, each in one transaction, and tells what came of it. */
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { createTerminal } from "../terminal.js";
import { createWork, type Outcome, type Setup, type Task } from "./work.js";

if (!isMainThread && parentPort) {
  const port = parentPort;
  const terminal = createTerminal(process, new AbortController().signal, false);
  terminal.quiet = true;
  // What is to be said of plugins the main thread has said.
  terminal.warn = () => {};
  const setup = workerData as Setup;
  const ready = createWork(setup, terminal);
  port.on("message", async (task: Task) => {
    try {
      const work = await ready;
      port.postMessage(await work(task));
    } catch (error) {
      if (Atomics.load(setup.stop, 0) === 0) throw error;
      port.postMessage({ lines: [], rows: false } satisfies Outcome);
    }
  });
}
