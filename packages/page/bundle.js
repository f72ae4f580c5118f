import { copyFileSync, mkdirSync } from "node:fs";
import { build } from "rolldown";

// What a page carries within itself: its program in one piece, and its style.
mkdirSync("assets", { recursive: true });
await build({
  input: "dist/browser/main.js",
  platform: "browser",
  output: { file: "assets/page.js", format: "iife", minify: true },
});
copyFileSync("src/page.css", "assets/page.css");
