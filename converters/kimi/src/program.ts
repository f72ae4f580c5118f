/** How Kimi Code goes on with a session without a person: the model is told by variables, and has no account. */
import type { Program } from "@asp-convert/core";
import { STATE_VARIABLE } from "./layout.js";

/** What it calls the model that the variables name: a session of ours binds none. */
const MODEL = "__kimi_env_model__";

export const program: Program = {
  // Over this API a result's pictures are sent inside it.
  dialect: "responses",
  start: ({ root, session, prompt, url }) => ({
    args: ["--session", session, "-m", MODEL, "-p", prompt],
    env: {
      [STATE_VARIABLE]: root,
      KIMI_MODEL_NAME: "mock-model",
      KIMI_MODEL_API_KEY: "mock",
      KIMI_MODEL_PROVIDER_TYPE: "openai_responses",
      KIMI_MODEL_BASE_URL: url,
      KIMI_MODEL_CAPABILITIES: "image_in,thinking,tool_use",
      KIMI_CODE_NO_AUTO_UPDATE: "1",
    },
  }),
};
