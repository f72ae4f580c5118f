/** Loaded into a measured process before all else (`account.ts?out=FILE`): at its end it says what it took. */
import { writeFileSync } from "node:fs";

const out = new URL(import.meta.url).searchParams.get("out");
if (out !== null)
  process.on("exit", () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    writeFileSync(out, JSON.stringify({ rss: maxRSS * 1024, cpu: (userCPUTime + systemCPUTime) / 1000 }));
  });
