import { describe, expect, it } from "vitest";
import { stateFolder } from "./state.js";

const on = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
  stateFolder({
    env,
    platform,
    home: platform === "win32" ? "C:\\Users\\dev" : "/home/dev",
    cwd: platform === "win32" ? "C:\\w" : "/w",
  });

describe("stateFolder", () => {
  it.each([
    ["linux", {}, "/home/dev/.local/state/asp-convert"],
    ["linux", { XDG_STATE_HOME: "/var/s" }, "/var/s/asp-convert"],
    ["linux", { XDG_STATE_HOME: "relative" }, "/home/dev/.local/state/asp-convert"],
    ["linux", { ASP_HOME: "/asp", XDG_STATE_HOME: "/var/s" }, "/asp"],
    ["linux", { ASP_HOME: "asp" }, "/w/asp"],
    ["freebsd", {}, "/home/dev/.local/state/asp-convert"],
    ["darwin", {}, "/home/dev/Library/Application Support/asp-convert"],
    ["darwin", { XDG_STATE_HOME: "/var/s" }, "/var/s/asp-convert"],
    ["win32", {}, "C:\\Users\\dev\\AppData\\Local\\asp-convert"],
    ["win32", { LOCALAPPDATA: "D:\\L" }, "D:\\L\\asp-convert"],
    ["win32", { ASP_HOME: "D:\\asp" }, "D:\\asp"],
  ] as const)("on %s with %j: %s", (platform, env, folder) => {
    expect(on(platform, env)).toBe(folder);
  });
});
