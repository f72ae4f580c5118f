/**
 * A session → Markdown. One event becomes some nodes of a syntax tree, which remark spells: what a person or an agent
 * wrote is parsed as the Markdown it is, so that an unclosed fence in a message does not swallow the next one.
 */
import type { Heading, PhrasingContent, Root, RootContent } from "mdast";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { stringify as yaml } from "yaml";
import type { SessionInput, SessionPlan, SessionRef, Target } from "../converter/contract.js";
import type { LossLedger } from "../fidelity/ledger.js";
import type { Block } from "../session/blocks.js";
import type { EventOf, SessionEvent } from "../session/event.js";
import { fileIn } from "./format.js";

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkFrontmatter)
  .use(remarkStringify, { bullet: "-", rule: "-", fences: true, listItemIndent: "one" });

export async function writeMarkdown(
  input: SessionInput,
  target: Target,
  child = false,
): Promise<SessionPlan> {
  const { ref, ledger } = input;
  const children: SessionPlan[] = [];
  for (const each of input.children) children.push(await writeMarkdown(each, target, true));
  async function* text(): AsyncGenerator<string> {
    yield spelled(headOf(ref));
    for await (const event of input.events()) {
      const nodes = nodesOf(event, ledger);
      if (nodes.length > 0) yield `\n${spelled(nodes)}`;
    }
  }
  const path = fileIn(target, ref.id, ".md", child);
  return {
    id: ref.id,
    ...(ref.cwd !== undefined && { cwd: ref.cwd }),
    actions: [{ do: "create", path, content: text }],
    children,
  };
}

function spelled(children: RootContent[]): string {
  return processor.stringify({ type: "root", children });
}

function headOf({ harness, id, title, cwd, git, createdAt, updatedAt, model }: SessionRef): RootContent[] {
  const facts = { title, harness, session: id, cwd, git, model, created: createdAt, updated: updatedAt };
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return [{ type: "yaml", value: yaml(known).trimEnd() }, heading(1, title ?? `Session ${id}`)];
}

function nodesOf(event: SessionEvent, ledger: LossLedger): RootContent[] {
  if (event.branch !== undefined) {
    ledger.leave(event, { axis: "branches", level: "dropped", reason: "abandoned-branch" });
    return [];
  }
  switch (event.type) {
    case "message.completed":
      return messageOf(event, ledger);
    case "tool.completed": {
      const { result, isError, toolCallId } = event.payload;
      ledger.mapped(event, "tool-results");
      return [
        label(isError ? "Failed" : "Result", toolCallId),
        ...result.flatMap((each) => blockOf(each, event, ledger, true)),
      ];
    }
    case "task.updated":
      ledger.mapped(event, "plans");
      return [label("Plan"), planOf(event)];
    case "session.started":
      ledger.mapped(event);
      for (const axis of ["title", "cwd", "git"] as const)
        if (event.payload[axis] !== undefined) ledger.keep(axis);
      return [];
    case "session.bound":
      ledger.mapped(event, ...(event.payload.title === undefined ? [] : (["title"] as const)));
      return [];
    case "status.changed":
      if (event.payload.status !== "compacted") break;
      ledger.mapped(event, "compaction");
      return [{ type: "thematicBreak" }, paragraph("The conversation was compacted here.")];
  }
  ledger.leave(event, { axis: axisOf(event), level: "dropped", reason: "no-counterpart" });
  return [];
}

/** What an event that is not shown would have been. */
function axisOf({ type }: SessionEvent) {
  if (type === "capabilities.changed") return "settings";
  if (type.startsWith("approval.")) return "approvals";
  if (type.startsWith("turn.") || type.startsWith("run.")) return "turns";
  if (type === "artifact.observed") return "documents";
  return "side-records";
}

const NAMES = { user: "User", assistant: "Assistant", system: "System", tool: "Tool", unknown: "Unknown" };

function messageOf(event: EventOf<"message.completed">, ledger: LossLedger): RootContent[] {
  const { role, blocks, model, injected, kind, usage } = event.payload;
  // What the program adds by itself at each start says nothing of this session.
  if (injected === "harness") {
    ledger.leave(event, { axis: "injected-context", level: "dropped", reason: "harness-preamble" });
    return [];
  }
  ledger.mapped(event, injected === undefined ? "messages" : "injected-context");
  if (event.time !== undefined) ledger.keep("times");
  if (model !== undefined) ledger.keep("models");
  if (usage !== undefined) ledger.note({ axis: "usage", level: "dropped", reason: "no-counterpart" });
  const about = [event.time, model, injected, kind].filter((word) => word !== undefined);
  const title = heading(2, NAMES[role]);
  if (about.length > 0)
    title.children.push(
      { type: "text", value: " · " },
      { type: "emphasis", children: [words(about.join(", "))] },
    );
  return [title, ...blocks.flatMap((block) => blockOf(block, event, ledger, false))];
}

/** @param plain of a tool: no Markdown, whatever it looks like. */
function blockOf(block: Block, event: SessionEvent, ledger: LossLedger, plain: boolean): RootContent[] {
  const record = event.origin[0]?.record;
  switch (block.type) {
    case "text":
      return plain ? code(block.text) : parsed(block.text);
    case "thinking":
      ledger.keep("thinking");
      if (block.signature !== undefined)
        ledger.note({ axis: "opaque-reasoning", level: "dropped", reason: "no-counterpart" }, record);
      return block.text === ""
        ? []
        : [{ type: "blockquote", children: [label("Thinking"), ...quotable(block.text)] }];
    case "tool-call": {
      ledger.keep("tool-calls");
      const { name, arguments: args, toolCallId } = block;
      const isText = typeof args === "string";
      return [
        label(name, toolCallId),
        ...code(isText ? args : JSON.stringify(args, undefined, 2), isText ? undefined : "json"),
      ];
    }
    case "tool-result":
      ledger.keep("tool-results");
      return [
        label("Result", block.toolCallId),
        ...block.content.flatMap((each) => blockOf(each, event, ledger, true)),
      ];
    case "image": {
      const { uri, alt, mimeType = "image", data } = block;
      if (uri !== undefined) {
        ledger.keep("images");
        return [{ type: "paragraph", children: [{ type: "image", url: uri, alt: alt ?? mimeType }] }];
      }
      ledger.note({ axis: "images", level: "dropped", reason: "no-counterpart" }, record);
      return [
        paragraph(`[${alt ?? "picture"}: ${mimeType}, ${Math.ceil(((data?.length ?? 0) * 3) / 4)} bytes]`),
      ];
    }
    case "reference": {
      const { uri, title, text, data } = block;
      ledger.keep("documents");
      if (data !== undefined)
        ledger.note({ axis: "documents", level: "dropped", reason: "no-counterpart" }, record);
      const link: RootContent = {
        type: "paragraph",
        children: [{ type: "link", url: uri, children: [words(title ?? uri)] }],
      };
      return text === undefined ? [link] : [link, ...code(text)];
    }
    case "error":
      ledger.keep("errors");
      return [label("Error"), ...code(block.message)];
    case "unknown":
      ledger.note({ axis: "opaque-reasoning", level: "dropped", reason: "no-counterpart" }, record);
      return [];
  }
}

/** Text as the Markdown it is, its headings below the document's own. */
function parsed(text: string): RootContent[] {
  const { children } = processor.parse(text) as Root;
  return children.map((node) => {
    if (node.type === "yaml") return { type: "code", lang: "yaml", value: node.value };
    if (node.type === "heading") return { ...node, depth: Math.min(6, node.depth + 2) as Heading["depth"] };
    return node;
  });
}

/** What may stand in a quotation: front matter may not. */
function quotable(text: string) {
  return parsed(text).filter((node) => node.type !== "yaml") as Exclude<
    RootContent,
    { type: "yaml" }
  >[] as never[];
}

function code(value: string, lang?: string): RootContent[] {
  return value === "" ? [] : [{ type: "code", value, ...(lang !== undefined && { lang }) }];
}

function heading(depth: 1 | 2, text: string): Heading {
  return { type: "heading", depth, children: [words(text)] };
}

function words(value: string): PhrasingContent & { type: "text" } {
  return { type: "text", value: value.replace(/\s+/g, " ") };
}

function paragraph(text: string): RootContent & { type: "paragraph" } {
  return { type: "paragraph", children: [words(text)] };
}

function label(name: string, id?: string): RootContent & { type: "paragraph" } {
  const strong: PhrasingContent = { type: "strong", children: [words(name)] };
  return {
    type: "paragraph",
    children: id === undefined ? [strong] : [strong, words(" "), { type: "inlineCode", value: id }],
  };
}

function planOf({ payload: { plan } }: EventOf<"task.updated">): RootContent {
  return {
    type: "list",
    ordered: false,
    spread: false,
    children: plan.map(({ content, status }) => ({
      type: "listItem",
      spread: false,
      checked: status === "completed",
      children: [paragraph(content)],
    })),
  };
}
