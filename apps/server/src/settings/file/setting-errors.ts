import { type SettingIssue, settingIssues, settingMessage } from '@proj/fastify/settings';
import type * as z from 'zod';

import { settingsJsonSchema } from '../json-schema.ts';
import type { SettingsFile } from './file.ts';
import { variableOf } from './sources.ts';
import { UsageError } from './usage-error.ts';

export function settingsError(
  error: z.core.$ZodError,
  places: ReadonlyMap<string, string>,
  file: SettingsFile,
): UsageError {
  const lines = settingIssues(error).map((issue) => errorLine(issue, places, file));
  return new UsageError(lines.join('\n'));
}

function errorLine(
  issue: SettingIssue,
  places: ReadonlyMap<string, string>,
  file: SettingsFile,
): string {
  const { path } = issue;
  const key = path.join('.');
  if (key === 'database' && !file.has(path) && !places.has(key)) {
    return (
      'database: none is given. Pass --database sqlite:/path/to/your.db, ' +
      `or set ${variableOf('database')}, or \`database\` in the settings file.`
    );
  }
  const message = settingMessage(issue, settingsJsonSchema());
  return `${places.get(key) ?? file.place(path)}: ${key}: ${message}`;
}
