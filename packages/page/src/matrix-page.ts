/** What each converter keeps, as a picture: axes × harnesses × directions. */
import { type Axis, axes, type Level, type MatrixRow } from "@asp-convert/core";
import type { Assets } from "./assets.js";
import { closing, opening } from "./shell.js";
import { escapeHtml } from "./text.js";

type Shown = Level | "absent";

const WORDS: Record<Shown, { letter: string; word: string; says: string }> = {
  preserved: { letter: "K", word: "kept", says: "arrives as it was" },
  partial: { letter: "P", word: "partial", says: "merged or re-encoded" },
  "evidence-only": { letter: "E", word: "evidence only", says: "only in the native bytes that are kept" },
  dropped: { letter: "D", word: "dropped", says: "does not arrive" },
  "not-in-source": { letter: "–", word: "nothing there", says: "the program has no such thing" },
  absent: { letter: "–", word: "nothing there", says: "the program has no such thing, or it is not read" },
};

/** @param rows of `matrix()` of core: read and write of each harness beside each other. */
export function matrixPage(rows: readonly MatrixRow[], assets: Assets): string {
  const known = (Object.keys(axes) as Axis[]).filter((axis) => rows.some(({ levels }) => levels[axis]));
  const names = [...Map.groupBy(rows, ({ name }) => name)];
  const heads = names
    .map(([name, own]) => {
      const star = own[0]?.experimental === undefined ? "" : " *";
      return `<th scope="colgroup" colspan="${own.length}"><span>${escapeHtml(name)}${star}</span></th>`;
    })
    .join("");
  const directions = rows
    .map(
      ({ direction }, index) =>
        `<th scope="col" class="${edge(rows, index)}">${direction === "read" ? "r" : "w"}<span class="unseen">${direction === "read" ? "ead" : "rite"}</span></th>`,
    )
    .join("");
  const body = known.map((axis) => {
    const cells = rows.map((row, index) => cell(axis, row, edge(rows, index))).join("");
    return `<tr><th scope="row"><b>${axis.replaceAll("-", " ")}</b> <i>${escapeHtml(axes[axis])}</i></th>${cells}</tr>`;
  });
  const legend = (["preserved", "partial", "evidence-only", "dropped", "not-in-source"] as const)
    .map((level) => {
      const { letter, word, says } = WORDS[level];
      return `<li><b class="cell ${level}">${letter}</b><span><strong>${word}</strong> ${says}</span></li>`;
    })
    .join("");
  const notes = names.flatMap(([name, [row]]) =>
    row?.experimental === undefined ? [] : [`<li>* ${escapeHtml(`${name}: ${row.experimental}`)}</li>`],
  );
  return `${opening("What each converter keeps", "matrix", assets)}<header class="top"><div class="what"><h1>What each converter keeps</h1>
<p class="facts"><span>${known.length} axes</span><span>${names.length} programs</span><span>as declared, and held to it by tests</span></p></div></header>
<main class="matrix"><ul class="legend" aria-label="Levels">${legend}</ul>
<div class="wide" tabindex="0" role="region" aria-label="Matrix"><table><thead><tr><th rowspan="2" scope="col">axis</th>${heads}</tr><tr>${directions}</tr></thead>
<tbody>${body.join("\n")}</tbody></table></div>
<p id="words" class="words" aria-live="polite">r: read from the program. w: written to it. Point at a cell, or go to it with the tab key, for its words.</p>
<ul class="notes">${notes.join("")}</ul></main>
${closing(assets)}`;
}

function cell(axis: Axis, { name, direction, levels }: MatrixRow, edge: string): string {
  const level: Shown = levels[axis] ?? "absent";
  const { letter, word, says } = WORDS[level];
  const words = `${name}, ${direction}, ${axis.replaceAll("-", " ")}: ${word} (${says})`;
  return `<td class="${edge}"><b class="cell ${level}" tabindex="0" aria-label="${escapeHtml(words)}" title="${escapeHtml(words)}">${letter}</b></td>`;
}

/** Where another program's columns begin. */
function edge(rows: readonly MatrixRow[], index: number): string {
  return rows[index]?.name === rows[index - 1]?.name ? "" : "edge";
}
