/** The task list as it stands after a call of one of the tools that keep it. */
import type { EventOf } from "@asp-convert/core";
import { type Json, list, object, text } from "./value.js";

type Plan = EventOf<"task.updated">["payload"]["plan"];
type Status = Plan[number]["status"];

export class Tasks {
  /** By id, as TaskCreate and TaskUpdate know them. */
  readonly #tasks = new Map<string, { content: string; status: Status }>();

  /** The list after this call, or undefined if the tool is another one or says nothing of it. */
  after(tool: string, input: unknown, detail: unknown): Plan | undefined {
    const given = object(input) ?? {};
    const got = object(detail) ?? {};
    switch (tool) {
      case "TodoWrite":
        return todos(list(got.newTodos) ?? list(given.todos));
      case "TaskCreate":
        return this.#created(object(got.task));
      case "TaskUpdate":
        return this.#updated(given);
      case "TaskList":
        return this.#listed(list(got.tasks));
      default:
        return undefined;
    }
  }

  #created(task: Json | undefined): Plan | undefined {
    const id = text(task?.id);
    const content = text(task?.subject);
    if (id === undefined || content === undefined) return undefined;
    this.#tasks.set(id, { content, status: "pending" });
    return this.#plan();
  }

  #updated(given: Json): Plan | undefined {
    const id = text(given.taskId);
    const task = id === undefined ? undefined : this.#tasks.get(id);
    if (id === undefined || !task) return undefined;
    if (given.status === "deleted") this.#tasks.delete(id);
    else task.status = statusOf(given.status) ?? task.status;
    task.content = text(given.subject) ?? task.content;
    return this.#plan();
  }

  #listed(tasks: readonly unknown[] | undefined): Plan | undefined {
    if (!tasks) return undefined;
    this.#tasks.clear();
    for (const item of tasks) {
      const task = object(item);
      const id = text(task?.id);
      const content = text(task?.subject);
      if (id !== undefined && content !== undefined)
        this.#tasks.set(id, { content, status: statusOf(task?.status) ?? "pending" });
    }
    return this.#plan();
  }

  #plan(): Plan {
    return [...this.#tasks.values()].map((task) => ({ ...task }));
  }
}

function todos(items: readonly unknown[] | undefined): Plan | undefined {
  return items?.flatMap((item): Plan => {
    const todo = object(item);
    const content = text(todo?.content);
    return content === undefined ? [] : [{ content, status: statusOf(todo?.status) ?? "pending" }];
  });
}

function statusOf(status: unknown): Status | undefined {
  return status === "pending" || status === "in_progress" || status === "completed" ? status : undefined;
}
