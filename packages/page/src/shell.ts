/** What every page begins and ends with. */
import { type Assets, policyOf } from "./assets.js";
import { escapeHtml } from "./text.js";

/** The first bytes of a page of ours: such a file may be made anew. */
export const MARK = "<!doctype html><!-- asp-convert page -->";

export function opening(title: string, kind: "session" | "matrix", assets: Assets): string {
  return `${MARK}
<html lang="en" data-page="${kind}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(assets)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${assets.style}</style>
</head>
<body>
`;
}

export function closing({ script }: Assets): string {
  return `<script>${script}</script>\n</body>\n</html>\n`;
}
