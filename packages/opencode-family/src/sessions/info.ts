/** A session's own record, from a row of the database or from the JSON of the tree and of exports. */
import { type Fields, fields, name, number, parsed, string } from "../json.js";
import type { Row } from "../rows/line.js";

export interface ModelName {
  provider: string;
  model: string;
  variant?: string;
}

export interface SessionInfo {
  id: string;
  parent?: string;
  title?: string;
  directory?: string;
  version?: string;
  agent?: string;
  model?: ModelName;
  created?: number;
  updated?: number;
  archived?: number;
  /** `session.metadata.asp`: our own. */
  asp?: Fields;
  revert?: { message: string; part?: string };
  /** All else, by its name in an export. */
  rest: Fields;
}

/** Column of the database → key in an export; JSON columns are parsed. */
const COLUMNS: Readonly<Record<string, string>> = {
  id: "id",
  project_id: "projectID",
  workspace_id: "workspaceID",
  parent_id: "parentID",
  slug: "slug",
  directory: "directory",
  path: "path",
  title: "title",
  version: "version",
  metadata: "metadata",
  cost: "cost",
  revert: "revert",
  permission: "permission",
  agent: "agent",
  model: "model",
};
const JSON_COLUMNS = new Set(["metadata", "revert", "permission", "model"]);

/** The JSON of an export, whatever form the record has. */
export function exportForm(row: Row): Fields {
  if (row.data) return row.data;
  const columns = row.columns;
  const info: Record<string, unknown> = {};
  for (const [column, key] of Object.entries(COLUMNS)) {
    const value = columns[column];
    if (value === undefined || value === null) continue;
    info[key] = JSON_COLUMNS.has(column) ? (parsed(value) ?? value) : value;
  }
  const of = (names: Readonly<Record<string, string>>) => {
    const found: Record<string, unknown> = {};
    for (const [key, column] of Object.entries(names))
      if (columns[column] !== undefined) found[key] = columns[column];
    return found;
  };
  const time = of({
    created: "time_created",
    updated: "time_updated",
    compacting: "time_compacting",
    archived: "time_archived",
  });
  const summary = of({
    additions: "summary_additions",
    deletions: "summary_deletions",
    files: "summary_files",
  });
  const diffs = parsed(columns.summary_diffs);
  const tokens = of({ input: "tokens_input", output: "tokens_output", reasoning: "tokens_reasoning" });
  return {
    ...info,
    ...(Object.keys(summary).length > 0 && {
      summary: { ...summary, ...(diffs !== undefined && { diffs }) },
    }),
    ...(Object.keys(tokens).length > 0 && {
      tokens: { ...tokens, cache: of({ read: "tokens_cache_read", write: "tokens_cache_write" }) },
    }),
    ...(typeof columns.share_url === "string" && { share: { url: columns.share_url } }),
    time,
  };
}

export function sessionInfo(row: Row): SessionInfo {
  const info = exportForm(row);
  const { id, parentID, title, directory, version, agent, model, time: _, ...rest } = info;
  const time = fields(info.time);
  const metadata = fields(info.metadata);
  const revert = fields(info.revert);
  const result: SessionInfo = { id: string(id) ?? "", rest };
  const set = <K extends keyof SessionInfo>(key: K, value: SessionInfo[K] | undefined) => {
    if (value !== undefined) result[key] = value;
  };
  set("parent", name(parentID));
  set("title", name(title));
  set("directory", name(directory));
  set("version", name(version));
  set("agent", name(agent));
  set("model", modelName(model));
  set("created", number(time?.created));
  set("updated", number(time?.updated));
  set("archived", number(time?.archived));
  set("asp", fields(metadata?.asp));
  const message = name(revert?.messageID);
  const part = name(revert?.partID);
  if (message !== undefined) set("revert", { message, ...(part !== undefined && { part }) });
  return result;
}

/** Of a session (`id`) or a message (`modelID`). The variant `default` says nothing. */
export function modelName(value: unknown): ModelName | undefined {
  const model = fields(value);
  const provider = name(model?.providerID);
  const id = name(model?.modelID) ?? name(model?.id);
  if (provider === undefined || id === undefined) return undefined;
  const variant = name(model?.variant);
  return { provider, model: id, ...(variant !== undefined && variant !== "default" && { variant }) };
}

/** `provider/model`, as the program and ACP say it. */
export function modelText({ provider, model }: ModelName): string {
  return `${provider}/${model}`;
}
