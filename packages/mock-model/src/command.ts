/** `asp-mock-model`: the same from a shell, for tests that are not written in JavaScript. */
import { appendFileSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { dialectNames } from "./dialects/index.js";
import { parseObject } from "./json.js";
import type { Script } from "./script.js";
import { startMockModel } from "./server.js";

const USAGE = `asp-mock-model [SCRIPT.json] [--port N] [--log FILE] [--model NAME…]

Answers as a model would, on 127.0.0.1, until it is ended. The first line on stdout is JSON: the base URL of each
dialect. SCRIPT.json: { "rules"?, "turns"?, "fallback"? }. --log: one JSON line for each request, {dialect, path, body}.`;

export async function main(args: readonly string[]): Promise<void> {
  try {
    await serve(args);
  } catch (error) {
    process.stderr.write(
      `asp-mock-model: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`,
    );
    process.exitCode = 2;
  }
}

async function serve(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      port: { type: "string" },
      log: { type: "string" },
      model: { type: "string", multiple: true },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const [path] = positionals;
  const { log, model: models } = values;
  const mock = await startMockModel({
    ...(path !== undefined && scriptIn(path)),
    port: Number(values.port ?? 0),
    ...(models && { models }),
    ...(log !== undefined && { onRequest: (asked) => appendFileSync(log, `${JSON.stringify(asked)}\n`) }),
  });
  const urls = Object.fromEntries(dialectNames.map((name) => [name, mock.url(name)]));
  process.stdout.write(`${JSON.stringify(urls)}\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void mock.close());
}

function scriptIn(path: string): Script {
  const script = parseObject(readFileSync(path, "utf8"));
  if (!script) throw new Error(`${path} is no JSON object`);
  const odd = Object.keys(script).find((key) => !["rules", "turns", "fallback"].includes(key));
  if (odd !== undefined) throw new Error(`${path}: "${odd}" is nothing of a script`);
  for (const key of ["rules", "turns"])
    if (script[key] !== undefined && !Array.isArray(script[key]))
      throw new Error(`${path}: "${key}" is no list`);
  return script as Script;
}
