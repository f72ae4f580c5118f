/** File patterns as configs write them: `docs/*.md`, `**\/rules/*.md`, `{a,b}.md`. Paths use `/`. */
export function matcherOf(pattern: string): (path: string) => boolean {
  let expression = "";
  const clean = pattern.replaceAll("\\", "/").replace(/^\.\//, "");
  let depth = 0;
  for (let i = 0; i < clean.length; i++) {
    const char = clean.charAt(i);
    if (char === "*" && clean[i + 1] === "*") {
      const slash = clean[i + 2] === "/";
      expression += slash ? "(?:.*/)?" : ".*";
      i += slash ? 2 : 1;
    } else if (char === "*") expression += "[^/]*";
    else if (char === "?") expression += "[^/]";
    else if (char === "{" && clean.includes("}", i)) {
      expression += "(?:";
      depth++;
    } else if (char === "}" && depth > 0) {
      expression += ")";
      depth--;
    } else if (char === "," && depth > 0) expression += "|";
    else expression += char.replace(/[.+^$()|[\]\\{}]/g, "\\$&");
  }
  const whole = new RegExp(`^${expression}${")".repeat(depth)}$`);
  return (path) => whole.test(path);
}
