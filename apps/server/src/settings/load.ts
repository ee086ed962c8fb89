import { SettingsError } from '@proj/engine';
import type * as z from 'zod';

import { NO_FILE, readSettingsFile, type SettingsFile } from './file.ts';
import { SETTING_SOURCES, type Settings, settingsSchema } from './schema.ts';

/** Where settings come from besides the defaults. */
export interface SettingsInput {
  /** Flags by name, without the dashes. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Merges flags, environment, file and defaults into frozen settings.
 *
 * @throws {SettingsError} naming every fault with the place it comes from.
 */
export async function loadSettings({ flags, env }: SettingsInput): Promise<Settings> {
  const path = flags['config'] ?? nonEmpty(env['CONFIG']);
  const file = path === undefined ? NO_FILE : await readSettingsFile(path);
  const values = structuredClone(file.values);
  const places = new Map<string, string>();
  for (const source of SETTING_SOURCES) {
    const flag = source.flag === undefined ? undefined : flags[source.flag];
    const text = flag ?? nonEmpty(env[source.env]);
    if (text === undefined) continue;
    assign(values, source.path, source.numeric ? readNumber(text) : text);
    places.set(source.path.join('.'), flag === undefined ? source.env : `--${source.flag}`);
  }
  const reading = settingsSchema.safeParse(values);
  if (reading.success) return Object.freeze(reading.data);
  throw new SettingsError(reading.error.issues.map((issue) => faultLine(issue, places, file)).join('\n'));
}

/** An empty variable is how shells and compose files say "not set". */
function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Digits are a number; anything else stays text, for the schema to refuse. */
function readNumber(text: string): string | number {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

function assign(values: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) {
    values[key] = value;
    return;
  }
  const inner = values[key];
  const group = isRecord(inner) ? inner : {};
  values[key] = group;
  assign(group, rest, value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function faultLine(issue: z.core.$ZodIssue, places: ReadonlyMap<string, string>, file: SettingsFile): string {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
  const key = path.join('.');
  if (key === 'database' && !file.has(path)) {
    return 'database: none is given. Pass --database sqlite:/path/to/your.db, or set DATABASE_URL, or `database` in the settings file.';
  }
  return `${places.get(key) ?? file.place(path)}: ${key}: ${issue.message}`;
}
