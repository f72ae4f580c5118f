/** A worker thread of a batch: does one job after the other, each in one transaction, and tells what came of it. */
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { createTerminal } from "../terminal.js";
import { createWork, type Setup, type Task } from "./work.js";

/** To a worker. */
export type Order = { task: Task } | { stop: true };

if (!isMainThread && parentPort) {
  const port = parentPort;
  const abort = new AbortController();
  const terminal = createTerminal(process, abort.signal, false);
  terminal.quiet = true;
  // What is to be said of plugins the main thread has said.
  terminal.warn = () => {};
  const ready = createWork(workerData as Setup, terminal);
  let queue: Promise<void> = Promise.resolve();
  port.on("message", (order: Order) => {
    if ("stop" in order) {
      abort.abort();
      queue = queue.finally(() => port.close());
      return;
    }
    queue = queue.then(async () => {
      try {
        const work = await ready;
        port.postMessage({ lines: await work(order.task) });
      } catch (error) {
        if (abort.signal.aborted) port.postMessage({ lines: [] });
        else throw error;
      }
    });
  });
}
