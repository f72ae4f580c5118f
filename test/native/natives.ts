/** The real programs behind the converters: how to resume a session of each in a store. */
import {
  type PiModel,
  type Resumed,
  type ResumeOptions,
  resumeClaude,
  resumeCline,
  resumeCodex,
  resumeCopilot,
  resumeDroid,
  resumeGemini,
  resumeKilo,
  resumeKimi,
  resumeOpenCode,
  resumePi,
  resumeQwen,
} from "@asp-convert/conformance/native";
import type { HarnessId } from "../harnesses.js";

type Asked = Pick<ResumeOptions, "session" | "prompt" | "turns" | "left">;

/** Over this API, Pi sends the pictures of a result in the result, as the other programs do. */
const responses: PiModel = { provider: "mock", model: "mock-1", dialect: "responses" };

export const natives: { readonly [H in HarnessId]: (root: string, asked: Asked) => Promise<Resumed> } = {
  claude: (configDir, asked) => resumeClaude({ configDir, ...asked }),
  codex: (home, asked) => resumeCodex({ home, ...asked }),
  gemini: (root, asked) => resumeGemini({ root, ...asked }),
  qwen: (root, asked) => resumeQwen({ root, ...asked }),
  kimi: (root, asked) => resumeKimi({ root, ...asked }),
  copilot: (root, asked) => resumeCopilot({ root, ...asked }),
  opencode: (root, asked) => resumeOpenCode({ root, ...asked }),
  kilo: (root, asked) => resumeKilo({ root, ...asked }),
  cline: (root, asked) => resumeCline({ root, ...asked }),
  droid: (root, asked) => resumeDroid({ root, ...asked }),
  pi: (agentDir, asked) => resumePi({ agentDir, model: responses, ...asked }),
};

/**
 * Programs that answer within a second or two: every captured session of theirs, over every route between them.
 * `ASP_NATIVE=all` (`npm run test:native:all`) takes all programs and all routes, most of an hour;
 * `ASP_NATIVE=gemini,pi` takes these.
 */
const quick: readonly HarnessId[] = ["claude", "codex"];
export const nativeIds: readonly HarnessId[] = chosen(process.env.ASP_NATIVE);

function chosen(wanted: string | undefined): readonly HarnessId[] {
  const all = Object.keys(natives) as HarnessId[];
  return wanted === "all" ? all : wanted ? all.filter((id) => wanted.split(",").includes(id)) : quick;
}

/** Sessions that the program itself refuses to resume where they lie: there is no request to compare with. */
export const refusedBySource: Readonly<Record<string, string>> = {
  "opencode/legacy-json": "OpenCode 1.18 does not see what lies in the JSON tree of 1.1 only",
  "gemini/long-chat": "a checkpoint is taken up by `/chat resume` in the terminal only",
  "codex/archived": "Codex resumes an archived session only after `codex unarchive`",
  "codex/compressed": "Codex resumes an archived session only after `codex unarchive`",
};

/** What Codex keeps of a session that it took in from another program: answers that follow one another. */
const IMPORTED = [
  "I will read it.",
  "[external_agent_tool_call: Read]\nfile: /home/dev/demo/README.md\n[/external_agent_tool_call]",
  "[external_agent_tool_result]\n# Demo\n[/external_agent_tool_result]",
  "[external_agent_tool_call: Bash]\ncommand: ls /nope\n[/external_agent_tool_call]",
  "[external_agent_tool_result: error]\nNo such file\n[/external_agent_tool_result]",
  "It is a demo.",
];

/** Where a route cannot send just what the source would: what differs, and why. Everything else must be equal. */
export const declaredDifferences: Readonly<
  Record<string, { extra?: string[]; missing?: string[]; order?: number; why: string }>
> = {
  ...picturesAfter("pi/tools → opencode"),
  ...picturesAfter("pi/tools → kilo"),
  ...nothingFromSearch("codex/tools → claude"),
  ...nothingFromSearch("codex/v0.140.0-tools → claude"),
  ...nothingFromSearch("codex/tools → pi"),
  ...nothingFromSearch("codex/v0.140.0-tools → pi"),
  ...nothingFromSearch("codex/tools → opencode"),
  ...nothingFromSearch("codex/v0.140.0-tools → opencode"),
  ...nothingFromSearch("codex/tools → gemini"),
  ...nothingFromSearch("codex/v0.140.0-tools → gemini"),
  ...nothingFromSearch("codex/tools → qwen"),
  ...nothingFromSearch("codex/v0.140.0-tools → qwen"),
  ...nothingFromSearch("codex/tools → kimi"),
  ...nothingFromSearch("codex/v0.140.0-tools → kimi"),
  ...nothingFromSearch("codex/tools → copilot"),
  ...nothingFromSearch("codex/v0.140.0-tools → copilot"),
  ...nothingFromSearch("codex/tools → cline"),
  ...nothingFromSearch("codex/v0.140.0-tools → cline"),
  ...nothingFromSearch("codex/tools → droid"),
  ...nothingFromSearch("codex/v0.140.0-tools → droid"),
  ...nothingFromSearch("codex/tools → kilo"),
  ...nothingFromSearch("codex/v0.140.0-tools → kilo"),
  ...summaryFirst("codex/compacted → droid", 0.75),
  ...summaryFirst("codex/v0.140.0-compacted → droid", 0.75),
  ...summaryFirst("codex/compacted-auto → droid", 2 / 3),
  "codex/compacted-remote → droid": {
    extra: ["The answer is 42."],
    why: "the summary is encrypted, and without one Factory Droid cuts nothing off",
  },
  ...gluedAnswers("codex/imported → qwen", "Qwen Code", IMPORTED),
  ...gluedAnswers("codex/imported → droid", "Factory Droid", IMPORTED),
};

/** The session's model is reached over Chat Completions, whose results hold no pictures. */
function picturesAfter(route: string): typeof declaredDifferences {
  return {
    [route]: {
      extra: [
        "Attached media from tool result:",
        "AAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==",
      ],
      order: 0.9375,
      why: "OpenCode sends a result's pictures in a message of their own after it, as it does for sessions of its own",
    },
  };
}

/** Codex sends the person's own words before a summary. */
function summaryFirst(route: string, order: number): typeof declaredDifferences {
  return { [route]: { order, why: "Factory Droid sends a summary first, and then what was kept beside it" } };
}

/** Answers that follow one another are kept apart in the session; the program makes one message of them. */
function gluedAnswers(route: string, program: string, answers: string[]): typeof declaredDifferences {
  return {
    [route]: {
      extra: [answers.join("")],
      missing: answers,
      why: `${program} sends answers that follow one another as one, as it does in sessions of its own`,
    },
  };
}

/** Codex's own search for tools (`tool_search_call` and its output) is no call of any other program's. */
function nothingFromSearch(route: string): typeof declaredDifferences {
  return {
    [route]: {
      missing: ['""'],
      why: "Codex's own search for tools: no other program has it, so it stays evidence",
    },
  };
}
