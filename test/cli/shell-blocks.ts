/** The commands of a Markdown text: its blocks marked `sh`, one after the other. */
export function shellBlocks(markdown: string): string {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block).join("\n");
}
