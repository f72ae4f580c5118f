import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runConformance } from "@asp-convert/conformance";
import { type LeafRules, loadFixture } from "@asp-convert/conformance/toolbox";
import readers from "./index.js";

/** Which of a source's strings steer, and which no event holds, by the axis they are a part of. */
const leaves: Readonly<Record<string, LeafRules>> = {
  amp: {
    axes: {
      agentMode: "side-records",
      "env.**": "side-records",
      "messages.*.content.*.provider": "side-records",
      "messages.*.content.*.run.status": "side-records",
      "messages.*.state.type": "side-records",
    },
  },
  "cline-editor": { axes: { "*.content.*.source.type": "side-records" } },
  crush: {
    structural: ["table", "role", "parts.*.type"],
    axes: {
      session_id: "ids",
      id: "ids",
      summary_message_id: "ids",
      provider: "side-records",
      "todos.**": "plans",
      "parts.*.data.reason": "turns",
      "parts.*.data.name": "side-records",
      "parts.*.data.metadata": "tool-details",
      "parts.*.data.metadata.**": "tool-details",
      "parts.*.data.Path": "side-records",
    },
  },
  goose: {
    structural: ["table", "role"],
    axes: {
      session_id: "ids",
      message_id: "ids",
      session_type: "side-records",
      provider_name: "side-records",
      "extension_data.**": "side-records",
      "content_json.*.toolCall.status": "side-records",
      "content_json.*.toolResult.status": "side-records",
    },
  },
  letta: {
    axes: {
      agent_type: "side-records",
      description: "side-records",
      system: "side-records",
      version: "side-records",
      "core_memory.**": "side-records",
      "llm_config.**": "side-records",
      "tools.**": "side-records",
      "messages.*.tool_calls.*.type": "side-records",
      "messages.*.tool_returns.*.status": "side-records",
    },
  },
  "claude-ai": {
    structural: ["chat_messages.*.sender", "chat_messages.*.content.*.type"],
    axes: {
      // Where there is `content`, the same again.
      "chat_messages.*.text": "side-records",
      "chat_messages.*.content.*.summaries.*.summary": "side-records",
      "chat_messages.*.content.*.message": "side-records",
      // Of a result; its call has it too.
      "chat_messages.*.content.*.name": "side-records",
      "chat_messages.*.content.*.content.*.type": "side-records",
    },
  },
  chatgpt: {
    structural: [
      "current_node",
      "mapping.*.parent",
      "mapping.*.message.author.role",
      "mapping.*.message.content.content_type",
    ],
    axes: {
      "mapping.*.id": "ids",
      "mapping.*.children.*": "ids",
      "mapping.*.message.id": "ids",
      "mapping.*.message.author.name": "side-records",
      "mapping.*.message.status": "side-records",
      "mapping.*.message.recipient": "side-records",
      "mapping.*.message.content.language": "tool-calls",
      "mapping.*.message.content.source_analysis_msg_id": "ids",
      "mapping.*.message.content.domain": "side-records",
      "mapping.*.message.content.content": "side-records",
      "mapping.*.message.metadata.**": "side-records",
    },
  },
};

const made = join(import.meta.dirname, "../../../fixtures/readers");

for (const reader of readers) {
  const folder = join(made, reader.id);
  runConformance(reader, {
    fixtures: await Promise.all(
      readdirSync(folder).map((name) => loadFixture(join(folder, name, "store"), name)),
    ),
    leaves: leaves[reader.id] ?? {},
  });
}
