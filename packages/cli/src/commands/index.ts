/** Every command once: its name, what it does, and where it is. Only the one that was asked for is loaded. */
import type { Commands, Entry } from "./entry.js";

const entries: readonly Entry[] = [
  {
    name: "describe",
    usage: "PATH",
    summary: "what is this? harness, versions, counts, the newest sessions",
    load: () => import("./describe.js"),
  },
  {
    name: "list",
    usage: "[PATH…]",
    summary: "sessions; without PATH those of every store on this machine",
    load: () => import("./list.js"),
  },
  {
    name: "convert",
    usage: "PATH --to ID",
    summary: "from one harness to another",
    load: () => import("./convert.js"),
  },
  {
    name: "compare",
    usage: "PATH --to ID",
    summary: "what would be kept, degraded, dropped; writes nothing",
    load: () => import("./compare.js"),
  },
  {
    name: "view",
    usage: "PATH|SESSION",
    summary: "a session as one HTML page; with --to what would be lost, where it is",
    load: () => import("./view.js"),
  },
  {
    name: "export",
    usage: "PATH",
    summary: "into a portable bundle (NAME.asp)",
    load: () => import("./export.js"),
  },
  {
    name: "import",
    usage: "BUNDLE --to ID",
    summary: "from a portable bundle into a harness",
    load: () => import("./import.js"),
  },
  {
    name: "batch",
    usage: "PATH… --to ID --out DIR",
    summary: "many stores or sessions at once: parallel, resumable, in shards",
    load: () => import("./batch.js"),
  },
  {
    name: "verify",
    usage: "PATH…",
    summary: "re-read what was written; --native resumes it in the real program",
    load: () => import("./verify.js"),
  },
  {
    name: "undo",
    usage: "[RECEIPT]",
    summary: "take back exactly what a run wrote",
    load: () => import("./undo.js"),
    converters: false,
  },
  {
    name: "capture",
    usage: "PATH --into LOG",
    summary: "follow a live store; keep every state of its sessions",
    load: () => import("./capture.js"),
  },
  {
    name: "serve",
    usage: "--harness ID [-- AGENT…]",
    summary: "an ACP agent with portable state: a store, or a real agent wrapped",
    load: () => import("./serve.js"),
  },
  {
    name: "switch",
    usage: "--from CMD --to CMD",
    summary: "move a live conversation from one ACP agent to another",
    load: () => import("./switch.js"),
    converters: false,
  },
  {
    name: "lineage",
    usage: "[SESSION]",
    summary: "from which session which other one was made, in which program",
    load: () => import("./lineage.js"),
  },
  {
    name: "log",
    usage: "list|show|export|verify|gc",
    summary: "what sessions were when they were converted or captured; any state of them out again",
    load: () => import("./log.js"),
  },
  {
    name: "matrix",
    usage: "",
    summary: "what each converter keeps: axes × harnesses × directions",
    load: () => import("./matrix.js"),
  },
  {
    name: "schema",
    usage: "[NAME]",
    summary: "JSON Schema of every portable shape",
    load: () => import("./schema.js"),
    converters: false,
  },
  {
    name: "new",
    usage: "converter NAME",
    summary: "a package for a converter of your own, its tests green at once",
    load: () => import("./new.js"),
  },
  {
    name: "doctor",
    usage: "",
    summary: "which programs, versions, stores and plugins are here, and what to do about each problem",
    load: () => import("./doctor.js"),
  },
  { name: "plugins", usage: "", summary: "the converters at hand", load: () => import("./plugins.js") },
  {
    name: "completion",
    usage: "bash|zsh|fish",
    summary: "what a shell loads to complete commands, options, session ids and titles",
    load: () => import("./completion.js"),
    converters: false,
  },
];

/** `asp-convert PATH …`: describes, or converts when it is told to what. */
const bare: Entry = { name: "", usage: "PATH", summary: "", load: () => import("./bare.js") };

export const commands: Commands = { entries, bare };
