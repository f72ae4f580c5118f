/** Readers of what people leave, or have archived: each in a folder of its own, all read and none written. */
import type { Converter } from "@asp-convert/core";
import aider from "./aider/index.js";
import amp from "./amp/index.js";
import chatgpt from "./chatgpt/index.js";
import claudeAi from "./claude-ai/index.js";
import clineEditor from "./cline-editor/index.js";
import crush from "./crush/index.js";
import goose from "./goose/index.js";
import letta from "./letta/index.js";
import specstory from "./specstory/index.js";

const readers: readonly Converter[] = [
  aider,
  amp,
  chatgpt,
  claudeAi,
  clineEditor,
  crush,
  goose,
  letta,
  specstory,
];

export default readers;
