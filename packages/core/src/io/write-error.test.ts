import { describe, expect, it } from "vitest";
import { WriteError, writeError } from "./write-error.js";

const failure = (code: string) => Object.assign(new Error(code), { code, syscall: "open", errno: -1 });

describe("writeError", () => {
  it.each([
    ["ENOSPC", "no-space", /no space is left.*Free some/],
    ["EDQUOT", "no-space", /quota/],
    ["EACCES", "denied", /permission denied.*write to another folder/],
    ["EROFS", "read-only", /read-only file system. Write to another folder/],
    ["EXDEV", "crosses-devices", /spans two file systems. Write to a folder/],
    ["EEXIST", "exists", /nothing is overwritten. Run it again/],
    ["EISDIR", "not-a-file", /is a folder.*Move it away/],
    ["ENOTDIR", "not-a-file", /a file where a folder.*Move it away/],
    ["EIO", "failed", /could not be written \(EIO\)/],
  ])("%s says the place, the cause and the next step", (code, why, words) => {
    const cause = failure(code);
    const error = writeError("/place", cause);
    expect(error).toBeInstanceOf(WriteError);
    expect(error).toMatchObject({ path: "/place", why, cause });
    expect((error as Error).message).toMatch(/^\/place: /);
    expect((error as Error).message).toMatch(words);
  });

  it("leaves everything else as it is", () => {
    const other = new TypeError("a bug");
    expect(writeError("/place", other)).toBe(other);
    const told = new WriteError("/x", "unsafe", "no");
    expect(writeError("/place", told)).toBe(told);
    // Node's own argument errors have a code, but are bugs.
    const bug = Object.assign(new Error("bad"), { code: "ERR_INVALID_ARG_TYPE" });
    expect(writeError("/place", bug)).toBe(bug);
  });
});
