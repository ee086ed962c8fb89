import {
  type JsonSchema,
  type SettingIssue,
  settingIssues,
  settingMessage,
} from '@proj/fastify/settings';
import type * as z from 'zod';

import { settingsJsonSchema } from '../json-schema.ts';
import { placeKey } from '../places.ts';
import type { SettingsFile } from './file.ts';
import { valueOf } from './overrides.ts';
import { variableOf } from './sources.ts';
import { UsageError } from './usage-error.ts';

export interface Origins {
  readonly file: SettingsFile;
  /** Flags and variables that override the file, by the key. */
  readonly places: ReadonlyMap<string, string>;
  /** Variables whose texts are whole values of the file, by the {@link placeKey}. */
  readonly whole: ReadonlyMap<string, string>;
}

/** @throws {UsageError} naming every error with the place it comes from */
export function checkedSettings<Kind extends z.ZodType>(
  schema: Kind,
  values: Record<string, unknown>,
  origins: Origins,
): z.output<Kind> {
  // Compiled, a schema that is used once takes twice as long.
  const read = () => schema.safeParse(values, { jitless: true });
  const found = read();
  const refused = found.success ? [] : settingIssues(found.error);
  const written = refused.filter(
    ({ issue: { code }, path }) =>
      (code === 'invalid_type' || code === 'invalid_union') && origins.whole.has(placeKey(path)),
  );
  for (const { path } of written) convertText(values, path);
  const reading = written.length === 0 ? found : read();
  if (reading.success) return reading.data;
  const forms = settingsJsonSchema();
  const lines = settingIssues(reading.error).map((issue) => errorLine(issue, forms, origins));
  throw new UsageError(lines.join('\n'));
}

/** Puts the number or the truth that a variable writes in the place of its text. */
function convertText(outer: unknown, [key = '', ...rest]: readonly PropertyKey[]): void {
  if (typeof outer !== 'object' || outer === null) return;
  const member: unknown = Reflect.get(outer, key);
  if (typeof member !== 'string') convertText(member, rest);
  else Reflect.set(outer, key, valueOf(member, /^[tf]/.test(member) ? 'boolean' : 'number'));
}

function errorLine(
  issue: SettingIssue,
  forms: JsonSchema,
  { file, places, whole }: Origins,
): string {
  const { path } = issue;
  const key = path.join('.');
  if (key === 'database' && !Object.hasOwn(file.values, key) && !places.has(key)) {
    return (
      'database: none is given. Pass --database sqlite:/path/to/your.db, ' +
      `or set ${variableOf('database')}, or \`database\` in the settings file.`
    );
  }
  const message = settingMessage(issue, forms);
  const variable = whole.get(placeKey(path));
  const place = variable ? `${file.place(path)} (${variable})` : file.place(path);
  return `${places.get(key) ?? place}: ${key}: ${message}`;
}
