/** Where sessions go: the database, what stands in it, and the project of their folder. */
import { pathOf, type Target } from "@asp-convert/core";
import { databaseName } from "../layout.js";
import type { Program } from "../program.js";
import { type Columns, columnsOf, newColumns } from "../target/database.js";
import { configuredModel } from "../target/model.js";
import { type Project, projectOf } from "../target/project.js";
import type { ModelName } from "./info.js";

/** What all sessions that go to one place have in common. */
export interface Place {
  database: string;
  columns: Columns;
  cwd: string;
  project: Project;
  model: ModelName | undefined;
}

export async function placeOf(program: Program, target: Target, cwd: string): Promise<Place> {
  const { root, source, environment } = target;
  const path = pathOf(environment).join(root, databaseName(program, root, environment));
  // What goes to a file fits any database: the program itself puts it there.
  const there = target.file === undefined && (await source.stat(path))?.kind === "file";
  const database = there ? await source.openDatabase(path) : undefined;
  try {
    return {
      database: path,
      columns: database ? columnsOf(program, path, database) : newColumns(),
      cwd,
      project: await projectOf(cwd, source, environment, database),
      model: await configuredModel(program, target, cwd),
    };
  } finally {
    database?.close();
  }
}
