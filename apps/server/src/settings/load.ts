import { SettingsError } from '@proj/engine';
import type * as z from 'zod';

import type { SettingsFile } from './file.ts';
import { resolveReferences } from './references.ts';
import { holdsSecret } from './holds-secret.ts';
import { type Settings, settingsSchema } from './schema.ts';
import { FILE_VARIABLE, SETTING_SOURCES, variableOf } from './sources.ts';

/** What there is where no file is named. */
const NO_FILE: SettingsFile = {
  values: {},
  fingerprint: '',
  has: () => false,
  place: () => 'settings',
};

/** Where settings come from besides the defaults. */
export interface SettingsInput {
  /** Flags by name, without the dashes. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Settings with the places where they stand. */
export interface LoadedSettings {
  readonly settings: Settings;
  /** The settings file, where there is one. */
  readonly path: string | undefined;
  /** Equal for equal content of the file. */
  readonly fingerprint: string;
  /** Whether the file itself holds a password or a token, rather than a reference to one. */
  readonly fileHoldsSecret: boolean;
  /** The place of a key in the file, such as `dynamic-query.yaml:12: `; empty without a file. */
  readonly place: (path: readonly PropertyKey[]) => string;
}

/**
 * Merges flags, environment, file and defaults into frozen settings.
 *
 * @throws {SettingsError} naming every error with the place it comes from.
 */
export async function loadSettings(input: SettingsInput): Promise<Settings> {
  return (await loadSettingsWithPlaces(input)).settings;
}

/**
 * As {@link loadSettings}, for messages that name the place of a setting.
 *
 * @throws {SettingsError} naming every error with the place it comes from.
 */
export async function loadSettingsWithPlaces({
  flags,
  env,
}: SettingsInput): Promise<LoadedSettings> {
  const path = flags['config'] ?? nonEmpty(env[FILE_VARIABLE]);
  const file = path === undefined ? NO_FILE : await readFile(path);
  const values = resolvedValues(file, env);
  const places = new Map<string, string>();
  for (const source of SETTING_SOURCES) {
    const flag = source.flag === undefined ? undefined : flags[source.flag];
    const text = flag ?? nonEmpty(env[source.env]);
    if (text === undefined) continue;
    assign(values, source.path, source.numeric ? readNumber(text) : text);
    places.set(source.path.join('.'), flag === undefined ? source.env : `--${source.flag}`);
  }
  const reading = settingsSchema.safeParse(values);
  if (reading.success) {
    const place = (keys: readonly PropertyKey[]): string =>
      path === undefined ? '' : `${file.place(keys)}: `;
    const { fingerprint, values: written } = file;
    return {
      settings: Object.freeze(reading.data),
      path,
      fingerprint,
      fileHoldsSecret: holdsSecret(written),
      place,
    };
  }
  throw new SettingsError(
    reading.error.issues
      .flatMap(branch)
      .map((issue) => errorLine(issue, places, file))
      .join('\n'),
  );
}

/** A parser of YAML is loaded where there is a file only. */
async function readFile(path: string): Promise<SettingsFile> {
  const { readSettingsFile } = await import('./file.ts');
  return readSettingsFile(path);
}

function resolvedValues(file: SettingsFile, env: SettingsInput['env']): Record<string, unknown> {
  const { value, errors } = resolveReferences(file.values, env);
  if (errors.length === 0) return isRecord(value) ? value : {};
  const lines = errors.map(({ path, name }) => {
    return (
      `${file.place(path)}: ${path.map(String).join('.')}: ` +
      `the environment variable ${name} is not set. Set it, or write \${${name}:-default}.`
    );
  });
  throw new SettingsError(lines.join('\n'));
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
  const group = values[key] ?? {};
  // Anything but a mapping stays, for the schema to refuse.
  if (!isRecord(group)) return;
  values[key] = group;
  assign(group, rest, value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of a value that may be a word or a mapping, the errors as a mapping, unless it is none. */
function branch(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  const inner = issue.code === 'invalid_union' ? (issue.errors.at(-1) ?? []) : [];
  const deeper = inner.filter(({ path }) => path.length > 0);
  return deeper.length === 0
    ? [issue]
    : deeper.map((error) => ({ ...error, path: [...issue.path, ...error.path] }));
}

function errorLine(
  issue: z.core.$ZodIssue,
  places: ReadonlyMap<string, string>,
  file: SettingsFile,
): string {
  const path =
    issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
  const key = path.join('.');
  if (key === 'database' && !file.has(path)) {
    return (
      'database: none is given. Pass --database sqlite:/path/to/your.db, ' +
      `or set ${variableOf('database')}, or \`database\` in the settings file.`
    );
  }
  return `${places.get(key) ?? file.place(path)}: ${key}: ${issue.message}`;
}
