/** Where Amp keeps, or kept, what it keeps on disk. */
import { type Environment, pathOf } from "@asp-convert/core";

export const THREADS = "threads";
export const DEVICE = "device-id.json";

export function isThread(name: string): boolean {
  return /^T-[\w-]+\.json$/.test(name);
}

export function roots(environment: Environment): string[] {
  const { env, home } = environment;
  return [
    pathOf(environment).join(env.XDG_DATA_HOME || pathOf(environment).join(home, ".local", "share"), "amp"),
  ];
}
