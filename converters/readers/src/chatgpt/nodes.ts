/** The tree of a conversation: nodes by id, each with its message and its parent. */
import { type Fields, fields, isoOf, list, name, number, string } from "@asp-convert/core/values";

export interface Message {
  id: string;
  role: string;
  /** Of a tool: what it is called. */
  by?: string | undefined;
  time?: string | undefined;
  content: Fields;
  /** The tool that is spoken to; undefined: the person. */
  recipient?: string | undefined;
  model?: string | undefined;
  /** Put there by the program, and not shown. */
  hidden: boolean;
  attachments: readonly unknown[];
}

export interface Node {
  id: string;
  parent?: string | undefined;
  message?: Message | undefined;
}

export function nodeOf(key: string, value: unknown): Node | undefined {
  const node = fields(value);
  if (!node) return undefined;
  const message = messageOf(node.message);
  const parent = name(node.parent);
  return { id: key, ...(parent !== undefined && { parent }), ...(message && { message }) };
}

export function nodesOf(entries: Iterable<readonly [string, unknown]>): Map<string, Node> {
  const nodes = new Map<string, Node>();
  for (const [key, value] of entries) {
    const node = nodeOf(key, value);
    if (node) nodes.set(key, node);
  }
  return nodes;
}

function messageOf(value: unknown): Message | undefined {
  const message = fields(value);
  const author = fields(message?.author);
  const content = fields(message?.content);
  const role = name(author?.role);
  if (!message || role === undefined || !content) return undefined;
  const metadata = fields(message.metadata);
  const at = number(message.create_time);
  const recipient = name(message.recipient);
  return {
    id: name(message.id) ?? "",
    role,
    by: name(author?.name),
    time: at === undefined ? undefined : isoOf(Math.round(at * 1000)),
    content,
    recipient: recipient === "all" ? undefined : recipient,
    model: role === "assistant" ? name(metadata?.model_slug) : undefined,
    attachments: list(metadata?.attachments),
    hidden: metadata?.is_visually_hidden_from_conversation === true || role === "system",
  };
}

/** What the person saw last, from the first message on. Without a current node: down to the last leaf. */
export function activePath(nodes: ReadonlyMap<string, Node>, current: string | undefined): Node[] {
  return pathTo(nodes, current !== undefined && nodes.has(current) ? current : lastLeaf(nodes));
}

/** From the root to a node. A circle ends where it begins. */
export function pathTo(nodes: ReadonlyMap<string, Node>, leaf: string | undefined): Node[] {
  const path: Node[] = [];
  const seen = new Set<string>();
  for (let at = leaf; at !== undefined && !seen.has(at); ) {
    seen.add(at);
    const node = nodes.get(at);
    if (!node) break;
    path.push(node);
    at = node.parent;
  }
  return path.reverse();
}

/** Nodes that are nobody's parent, in the order of the file. */
export function leavesOf(nodes: ReadonlyMap<string, Node>): string[] {
  const parents = new Set([...nodes.values()].flatMap(({ parent }) => parent ?? []));
  return [...nodes.keys()].filter((id) => !parents.has(id));
}

function lastLeaf(nodes: ReadonlyMap<string, Node>): string | undefined {
  return leavesOf(nodes).at(-1) ?? [...nodes.keys()].at(-1);
}

/** All text of a content, for a list. */
export function textOf(content: Fields): string {
  const parts = list(content.parts).flatMap((part) => string(part) ?? string(fields(part)?.text) ?? []);
  return [...parts, ...(string(content.text) ?? [])].join("\n").trim();
}
