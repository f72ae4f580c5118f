/** What the shapes that are Claude Code stores have in common. */
import { ClaudeLines, say, transcriptPath } from "./claude.ts";
import type { Shape } from "./shape.ts";

type Made = Omit<Shape, "harness" | "files"> & { files: Shape["files"] | ClaudeLines };

export function shape(made: Made): Shape {
  const files =
    made.files instanceof ClaudeLines ? { [transcriptPath(made.files)]: made.files.text() } : made.files;
  return { ...made, harness: "claude", files };
}

/** A talk of two turns with one call, for shapes whose damage lies elsewhere. */
export function talk(options?: ConstructorParameters<typeof ClaudeLines>[0]): ClaudeLines {
  const lines = new ClaudeLines(options);
  lines.user("What is here?");
  lines.call("toolu_01");
  lines.result("toolu_01", "README.md");
  lines.assistant(say("One file."));
  lines.user("Thank you.");
  lines.assistant(say("You are welcome."));
  return lines;
}
