/** Words near a mistyped one, nearest first: at most a third of its letters may differ. */
export function nearest(word: string, known: readonly string[], most = 3): string[] {
  const asked = word.toLowerCase();
  return known
    .map((name) => ({ name, distance: distanceTo(asked, name.toLowerCase()) }))
    .filter(
      ({ name, distance }) => distance <= Math.max(1, Math.ceil(Math.min(asked.length, name.length) / 3)),
    )
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/** 0 where one begins with the other (`claude-code`, `claude`), else how many letters must change (Levenshtein). */
function distanceTo(asked: string, name: string): number {
  if (asked.length > 1 && (asked.startsWith(name) || name.startsWith(asked))) return 0;
  let row = Array.from({ length: name.length + 1 }, (_, i) => i);
  for (let i = 1; i <= asked.length; i++) {
    const next = [i];
    for (let j = 1; j <= name.length; j++) {
      const change = (row[j - 1] ?? 0) + (asked[i - 1] === name[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[name.length] ?? 0;
}
