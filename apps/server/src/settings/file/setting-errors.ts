import type * as z from 'zod';

import type { SettingsFile } from './file.ts';
import { settingMessage } from '../setting-message.ts';
import { variableOf } from './sources.ts';
import { UsageError } from './usage-error.ts';

/** What a refusal of settings says: each error with the place that the value comes from. */
export function settingsError(
  { issues }: z.core.$ZodError,
  places: ReadonlyMap<string, string>,
  file: SettingsFile,
): UsageError {
  const lines = issues.flatMap(branch).map((issue) => errorLine(issue, places, file));
  return new UsageError(lines.join('\n'));
}

/** Of a value that has several forms, the errors inside the one that it has. */
function branch(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const forms = issue.errors.map((errors) => errors.flatMap(branch));
  const inside = forms.find((errors) => errors.some(isInside)) ?? [];
  return inside.length === 0
    ? [issue]
    : inside.map((error) => ({ ...error, path: [...issue.path, ...error.path] }));
}

/** Whether the value itself is of the kind that is expected. */
function isInside({ code, path }: z.core.$ZodIssue): boolean {
  return path.length > 0 || code === 'unrecognized_keys';
}

function errorLine(
  issue: z.core.$ZodIssue,
  places: ReadonlyMap<string, string>,
  file: SettingsFile,
): string {
  const path =
    issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
  const key = path.join('.');
  if (key === 'database' && !file.has(path) && !places.has(key)) {
    return (
      'database: none is given. Pass --database sqlite:/path/to/your.db, ' +
      `or set ${variableOf('database')}, or \`database\` in the settings file.`
    );
  }
  return `${places.get(key) ?? file.place(path)}: ${key}: ${settingMessage(issue, path)}`;
}
