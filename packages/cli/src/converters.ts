/** The built-in converters, once. A new one is a line in each list. */
import { acpFormat } from "@asp-convert/acp/format";
import claude from "@asp-convert/claude";
import cline from "@asp-convert/cline";
import codex from "@asp-convert/codex";
import copilot from "@asp-convert/copilot";
import { aspBundle, bundle, type Converter, markdown } from "@asp-convert/core";
import droid from "@asp-convert/droid";
import gemini from "@asp-convert/gemini";
import kilo from "@asp-convert/kilo";
import kimi from "@asp-convert/kimi";
import opencode from "@asp-convert/opencode";
import pi, { ohMyPi, openClaw } from "@asp-convert/pi";
import qwen from "@asp-convert/qwen";
import left from "@asp-convert/readers";

export const builtIn: readonly Converter[] = [
  claude,
  codex,
  opencode,
  kilo,
  pi,
  gemini,
  qwen,
  kimi,
  cline,
  copilot,
  droid,
];

/** Programs whose sessions are read, and that nothing is written to. */
export const readers: readonly Converter[] = [ohMyPi, openClaw, ...left];

/** No program's own: a session, or a store, in a form that anybody may read. */
export const formats: readonly Converter[] = [bundle, aspBundle, acpFormat, markdown];
