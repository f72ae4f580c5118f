/** One conversation: the path that the person saw last, then what they left (edits, answers made again) as branches. */
import {
  type Block,
  documentParts,
  type Origin,
  type ReadContext,
  type SessionEvent,
  type SessionRef,
} from "@asp-convert/core";
import { fields, name, parsed, string } from "@asp-convert/core/values";
import { type Branch, type Place, Say } from "../say.js";
import { attached, blocksOf, CONTEXT, SHOWN } from "./content.js";
import { activePath, leavesOf, type Message, type Node, nodeOf, pathTo } from "./nodes.js";

export async function* readSession(
  ref: SessionRef,
  { source, ledger, signal }: ReadContext,
): AsyncGenerator<SessionEvent> {
  const file = await source.open(ref.path);
  try {
    const { shell, objects, cut } = documentParts(file, ["mapping"]);
    const say = new Say(ledger);
    yield say.start(ref, [say.record({ offset: 0, length: file.size })]);
    // Messages are read when their turn comes: what is held of a node is its place and its parent.
    const places = new Map<string, Place>();
    const tree = new Map<string, Node>();
    for (const { key = "", ...place } of objects) {
      const bytes = Buffer.from(file.read(place.offset, place.length));
      const parent = nodeOf(key, parsed(bytes.toString("utf8")))?.parent;
      places.set(key, place);
      tree.set(key, { id: key, parent });
    }
    const reader = new Reader(say, (id) => {
      const place = places.get(id) as Place;
      const origin = [say.record(place)];
      return { node: nodeOf(id, parsed(say.text(file, place, origin))), origin };
    });
    for (const { id } of activePath(tree, name(fields(shell)?.current_node))) {
      signal?.throwIfAborted();
      yield* reader.tell(id);
    }
    for (const leaf of leavesOf(tree)) {
      if (reader.isTold(leaf)) continue;
      const path = pathTo(tree, leaf).map(({ id }) => id);
      const own = path.filter((id) => !reader.isTold(id));
      const from = path[path.indexOf(own[0] ?? "") - 1];
      for (const id of own) yield* reader.tell(id, { id: leaf, from });
    }
    // Circles have no leaf.
    for (const id of tree.keys()) if (!reader.isTold(id)) yield* reader.tell(id, { id });
    yield* say.rest(file, cut);
  } finally {
    file.close();
  }
}

interface Loaded {
  node: Node | undefined;
  origin: readonly Origin[];
}

class Reader {
  readonly #say: Say;
  readonly #load: (id: string) => Loaded;
  readonly #told = new Map<string, string | undefined>();
  /** Calls that wait for their results: the node's id. */
  readonly #open = new Set<string>();

  constructor(say: Say, load: (id: string) => Loaded) {
    this.#say = say;
    this.#load = load;
  }

  isTold(id: string): boolean {
    return this.#told.has(id);
  }

  *tell(id: string, branch?: { id: string; from?: string | undefined }): Generator<SessionEvent> {
    const { node, origin } = this.#load(id);
    const events = [...this.#events(id, node, origin, this.#branch(branch))];
    this.#told.set(
      id,
      events.findLast(({ nativeId }) => nativeId !== undefined)?.nativeId ?? this.#before(node),
    );
    yield* events;
  }

  /** On its first event a branch names the event that it departs from. */
  #branch(branch: { id: string; from?: string | undefined } | undefined): Branch | undefined {
    if (!branch) return undefined;
    const isFirst = !this.#branches.has(branch.id);
    this.#branches.add(branch.id);
    const from = branch.from === undefined ? undefined : this.#told.get(branch.from);
    return { id: branch.id, ...(isFirst && from !== undefined && { from }) };
  }
  readonly #branches = new Set<string>();

  #before(node: Node | undefined): string | undefined {
    return node?.parent === undefined ? undefined : this.#told.get(node.parent);
  }

  *#events(
    id: string,
    node: Node | undefined,
    origin: readonly Origin[],
    branch: Branch | undefined,
  ): Generator<SessionEvent> {
    const message = node?.message;
    if (!message) {
      // The root, and nodes whose message is empty.
      yield this.#say.unread("chatgpt.node", "side-records", "index-only", origin);
      return;
    }
    const { content, time, hidden, role } = message;
    const type = content.content_type;
    if (SHOWN.has(type)) {
      yield this.#say.unread(`chatgpt.${String(type)}`, "side-records", "no-counterpart", origin);
    } else if (hidden || CONTEXT.has(type)) {
      const blocks = contextOf(message);
      if (blocks.length === 0) yield this.#say.unread("chatgpt.context", "injected-context", "empty", origin);
      else {
        const by = role === "system" ? ("system" as const) : ("user" as const);
        yield this.#say.said({ id, role: by, blocks, injected: "harness", time, branch }, origin);
      }
    } else yield* this.#talk(id, message, origin, branch, node?.parent);
  }

  *#talk(
    id: string,
    message: Message,
    origin: readonly Origin[],
    branch: Branch | undefined,
    parent: string | undefined,
  ): Generator<SessionEvent> {
    const { role, content, time, model, recipient, by } = message;
    const words = blocksOf(content);
    const blocks = words && [...words, ...attached(message.attachments, words)];
    if (!blocks || blocks.length === 0) {
      const type = `chatgpt.${String(content.content_type)}`;
      yield this.#say.unread(type, "messages", blocks ? "empty" : "not-supported", origin);
      return;
    }
    if (role === "assistant" && recipient !== undefined) {
      this.#open.add(id);
      const call: Block = {
        type: "tool-call",
        toolCallId: id,
        name: recipient,
        ...argumentsOf(content, blocks),
      };
      yield this.#say.said(
        { id, role, blocks: [call], time, branch, ...(model !== undefined && { model }) },
        origin,
      );
    } else if (role === "tool") {
      if (parent !== undefined && this.#open.delete(parent))
        yield this.#say.answered(
          { call: parent, blocks, isError: content.content_type === "system_error", time, branch },
          origin,
        );
      // More of a result than one message, or of a tool that nobody called: the model was sent it all the same.
      else
        yield this.#say.said(
          { id, role: "user", blocks: named(by, blocks), injected: "tool", time, branch },
          origin,
        );
    } else {
      const known = role === "user" || role === "assistant" ? role : "unknown";
      yield this.#say.said(
        { id, role: known, blocks, time, branch, ...(model !== undefined && { model }) },
        origin,
      );
    }
  }
}

function contextOf({ content }: Message): Block[] {
  const known = blocksOf(content);
  if (known) return known;
  const texts = [
    "user_profile",
    "user_instructions",
    "model_set_context",
    "structured_context",
    "text",
  ].flatMap((key) => string(content[key]) ?? []);
  return texts.filter((text) => text !== "").map((text) => ({ type: "text", text }));
}

/** JSON where it is an object; else the text itself, as a tool takes it that runs code. */
function argumentsOf(content: { readonly [key: string]: unknown }, blocks: readonly Block[]) {
  const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const value = fields(parsed(text));
  if (value) return { arguments: value };
  const language = name(content.language);
  return language === undefined || language === "unknown"
    ? { arguments: { text } }
    : { arguments: { language, code: text } };
}

function named(by: string | undefined, blocks: Block[]): Block[] {
  return by === undefined ? blocks : [{ type: "text", text: `[${by}]` }, ...blocks];
}
