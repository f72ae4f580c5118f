/** Whether a process that left a note behind still runs. A pid alone does not tell: it is given out again. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

export interface ProcessMark {
  pid: number;
  /** When it started, in the system's own words; empty where the system does not say. */
  start: string;
  host: string;
}

export function thisProcess(): ProcessMark {
  return { pid: process.pid, start: startOf(process.pid), host: hostname() };
}

/** False only if it surely does not run any more. One on another machine (a shared disk) counts as running. */
export function isRunning(mark: ProcessMark): boolean {
  if (mark.host !== hostname()) return true;
  try {
    process.kill(mark.pid, 0);
  } catch (error) {
    // Not permitted means: it is there, and somebody else's.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  const start = startOf(mark.pid);
  return mark.start === "" || start === "" || start === mark.start;
}

/** Linux: boot id and start time in clock ticks since boot. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the command in brackets and may hold anything; field 22 is the 20th after it.
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${ticks}`;
  } catch {
    return "";
  }
}
