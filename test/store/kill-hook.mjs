// Preloaded into a child process: counts every change of the disk and kills the process, as `kill -9` does, at the one
// that `?at=` names. A write is begun then: half of it is on the disk.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const killAt = Number(new URL(import.meta.url).searchParams.get("at"));
let points = 0;

function point(half) {
  if (++points !== killAt) return;
  half?.();
  process.kill(process.pid, "SIGKILL");
}

const { writeSync, writevSync } = fs;
fs.writeSync = (fd, bytes, ...rest) => {
  if (fd > 2)
    point(() => writeSync(fd, bytes, rest[0] ?? 0, Math.floor((bytes.length - (rest[0] ?? 0)) / 2)));
  return writeSync(fd, bytes, ...rest);
};
fs.writevSync = (fd, parts, ...rest) => {
  point(() => {
    const whole = Buffer.concat(parts);
    writeSync(fd, whole, 0, Math.floor(whole.length / 2));
  });
  return writevSync(fd, parts, ...rest);
};
const { write } = fs;
fs.write = (fd, bytes, at, ...rest) => {
  point(() => writeSync(fd, bytes, at, Math.floor((bytes.length - at) / 2)));
  return write(fd, bytes, at, ...rest);
};
// What `promisify` goes by.
Object.defineProperties(fs.write, Object.getOwnPropertyDescriptors(write));
for (const name of [
  "fsync",
  "fdatasync",
  "fsyncSync",
  "ftruncateSync",
  "renameSync",
  "linkSync",
  "rmSync",
  "mkdirSync",
]) {
  const real = fs[name];
  fs[name] = (...given) => {
    point();
    return real(...given);
  };
}
syncBuiltinESMExports();
process.on("exit", () => process.stdout.write(`points ${points}\n`));
