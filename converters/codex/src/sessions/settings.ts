/** turn_context and thread_settings_applied as settings by the ids that ACP uses. */
import type { SettingValues } from "@asp-convert/core";
import { type Fields, fields, name } from "@asp-convert/core/values";

/** What of a turn's context is a setting; keys that say nothing are left out. */
export function settingsOf(context: Fields): SettingValues {
  const collaboration = fields(context.collaboration_mode);
  const inner = fields(collaboration?.settings);
  const effort = name(context.effort) ?? name(context.reasoning_effort) ?? name(inner?.reasoning_effort);
  const approval = context.approval_policy;
  const values: Record<string, string | undefined> = {
    model: name(context.model) ?? name(inner?.model),
    thought_level: effort,
    mode: modeOf(context),
    collaboration_mode: name(collaboration?.mode),
    approval_policy: name(approval) ?? (fields(approval) ? Object.keys(approval as object)[0] : undefined),
  };
  const settings: SettingValues = {};
  for (const [id, value] of Object.entries(values)) if (value !== undefined) settings[id] = value;
  return settings;
}

/** What the agent may touch: `read-only`, `workspace-write` or `danger-full-access`, in every generation's words. */
function modeOf(context: Fields): string | undefined {
  const sandbox = fields(context.sandbox_policy);
  const policy = name(sandbox?.type) ?? name(sandbox?.mode) ?? name(context.sandbox_policy);
  if (policy !== undefined) return policy;
  const profile = name(fields(context.permission_profile)?.type);
  return profile === "disabled" ? "danger-full-access" : undefined;
}

/** Those of `next` that are not so in `known` yet; undefined: none. `known` is brought up to date. */
export function changedSettings(known: SettingValues, next: SettingValues): SettingValues | undefined {
  let changed: SettingValues | undefined;
  for (const [id, value] of Object.entries(next)) {
    if (known[id] === value) continue;
    known[id] = value;
    changed ??= {};
    changed[id] = value;
  }
  return changed;
}
