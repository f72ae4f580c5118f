/** Losses that a person does not allow. */
import type { Loss } from "@asp-convert/core";
import { axes } from "@asp-convert/core";
import { UsageError } from "./errors.js";
import type { FailOn, LossOptions } from "./options.js";

/** What `--loss error` and `--fail-on` do not allow; what the source never held is no loss of ours. */
export function forbidden({ loss, failOn }: Partial<LossOptions>): ((loss: Loss) => boolean) | undefined {
  for (const { axis } of failOn ?? []) {
    if (axis !== undefined && !(axis in axes)) {
      throw new UsageError(`there is no axis "${axis}"`, `Axes: ${Object.keys(axes).join(", ")}`);
    }
  }
  if (loss !== "error" && !failOn?.length) return undefined;
  const matches = (found: Loss, { level, axis }: FailOn) =>
    (level === undefined ? found.level !== "not-in-source" : found.level === level) &&
    (axis === undefined || found.axis === axis);
  return (found) =>
    (loss === "error" && found.level !== "not-in-source") ||
    (failOn ?? []).some((term) => matches(found, term));
}
