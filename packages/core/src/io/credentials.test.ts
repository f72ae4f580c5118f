import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { apply } from "../pipeline/apply.js";
import { holdsCredentials } from "./credentials.js";
import { diskSource } from "./disk.js";

describe("credential files", () => {
  it.each([
    "/h/.codex/auth.json",
    "C:\\h\\.claude\\.credentials.json",
    "oauth_creds.json",
    "a/AUTH.JSON",
    ".env",
    "x/.env.local",
    "k.pem",
    "id_ed25519",
    "/h/.cline/data/settings/providers.json",
  ])("%s is one", (path) => expect(holdsCredentials(path)).toBe(true));
  it.each([
    "/h/auth.json/x",
    "author.json",
    ".env.example",
    "environment",
    "key.ts",
    "monkey",
    ".environment",
    "/h/.codex/config.toml",
  ])("%s is none", (path) => expect(holdsCredentials(path)).toBe(false));

  it("are neither read nor written, whoever asks", async () => {
    const folder = mkdtempSync(join(tmpdir(), "asp-credentials-"));
    try {
      const path = join(folder, "auth.json");
      writeFileSync(path, "{}");
      await expect(diskSource.open(path)).rejects.toThrow(/credentials/);
      await expect(diskSource.readFile(path)).rejects.toThrow(/credentials/);
      expect(await diskSource.stat(path)).toMatchObject({ kind: "file" });
      const environment = {
        env: { ASP_HOME: join(folder, "state") },
        home: folder,
        platform: process.platform,
        cwd: folder,
      };
      const options = { environment, roots: [folder], what: "a test" };
      const fresh = join(folder, "x/.credentials.json");
      await expect(apply([{ do: "create", path: fresh, content: "" }], options)).rejects.toThrow(
        /credentials/,
      );
      await expect(apply([{ do: "edit", path, edit: () => "", what: "" }], options)).rejects.toThrow(
        /credentials/,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
