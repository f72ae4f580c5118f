/** A tiny MCP server with two tools; `echo` also tells of a variable. */
export const DEMO_SERVER = `
import { createInterface } from "node:readline";
const tool = (name) => ({ name, description: "TOOL-" + name, inputSchema: { type: "object", properties: { text: { type: "string" } } } });
createInterface({ input: process.stdin }).on("line", (line) => {
  if (!line.trim()) return;
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  if (method === "initialize") answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "demo", version: "1" } });
  else if (method === "tools/list") answer({ tools: [tool("echo"), tool("secret")] });
  else if (method === "tools/call") answer({ content: [{ type: "text", text: ["ECHOED", params.arguments.text, process.env.PRICE, process.env.TOKEN].join(" ") }] });
  else answer({});
});
`;
