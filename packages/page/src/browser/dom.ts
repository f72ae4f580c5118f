/** Elements of a page, made and never parsed: what is put into them is text. */

type Child = Node | string | undefined;

export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

export function parsed<T>(script: Element | null): T | undefined {
  return script?.textContent ? (JSON.parse(script.textContent) as T) : undefined;
}

export function plural(n: number, word: string): string {
  return `${n.toLocaleString("en")} ${word}${n === 1 ? "" : word.endsWith("s") ? "es" : "s"}`;
}
