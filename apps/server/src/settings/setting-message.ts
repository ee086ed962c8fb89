import { suggestion } from '@proj/engine';
import type * as z from 'zod';

import { settingsJsonSchema } from './json-schema.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Path = readonly PropertyKey[];

/** What is expected, by the names that zod has for types. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a whole number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

/** What is wrong with a setting, without its value, which may be a secret. */
export function settingMessage(issue: z.core.$ZodIssue, path: Path): string {
  const { code, message } = issue;
  if (code === 'unrecognized_keys') return unknownSetting(path);
  if (code === 'invalid_key') return issue.issues[0]?.message ?? message;
  // A message of the schema's own says more than its kind.
  if (!/^(Invalid|Too) /.test(message)) return message;
  if (code === 'invalid_type') return `expected ${expected(issue, path)}`;
  if (code === 'invalid_value') return `expected ${alternatives(issue.values)}`;
  if (code === 'too_small' || code === 'too_big')
    return `expected ${expected(issue, path)}${isEmpty(issue) ? ' that is not empty' : ''}`;
  return message;
}

function expected(issue: z.core.$ZodIssue, path: Path): string {
  const type = 'expected' in issue ? issue.expected : 'origin' in issue ? issue.origin : '';
  const { minimum, maximum } =
    formsOf(schemaAt(path)).find((form) => form.minimum !== undefined) ?? {};
  const what = TYPES[type] ?? type;
  if (what !== 'a whole number' || minimum === undefined) return what;
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? `${what} of at least ${minimum}`
    : `${what} from ${minimum} to ${maximum}`;
}

function isEmpty(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'too_small' && ['string', 'array'].includes(issue.origin);
}

function alternatives(values: readonly unknown[]): string {
  const words = values.map((value) => `\`${String(value)}\``);
  return words.length > 1 ? `one of ${words.join(', ')}` : words.join('');
}

function unknownSetting(path: Path): string {
  const names = formsOf(schemaAt(path.slice(0, -1))).flatMap(({ properties = {} }) =>
    Object.keys(properties),
  );
  const { did_you_mean: meant } = suggestion(String(path.at(-1)), names);
  return meant === undefined
    ? 'there is no such setting. docs/reference/settings.md lists all'
    : `there is no such setting. Did you mean ${meant}?`;
}

/** The schema of what is at a path. */
function schemaAt(path: Path): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>(
    (outer, key) =>
      formsOf(outer)
        .map((form) => inner(form, key))
        .find(Boolean),
    settingsJsonSchema(),
  );
}

/** A schema, and each form that a value of it may have. */
function formsOf(schema: JsonSchema | boolean | undefined): JsonSchema[] {
  if (typeof schema !== 'object') return [];
  return [schema, ...(schema.anyOf ?? []).flatMap(formsOf)];
}

function inner(form: JsonSchema, key: PropertyKey): JsonSchema | undefined {
  const { properties, additionalProperties, items } = form;
  const item = typeof key !== 'number' || Array.isArray(items) ? undefined : items;
  const found = properties?.[String(key)] ?? additionalProperties ?? item;
  return typeof found === 'object' ? found : undefined;
}
