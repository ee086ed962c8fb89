import { nameText } from '@proj/contract';
import { SettingsError, suggestion } from '@proj/engine';
import * as z from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
type Path = readonly PropertyKey[];

/** By zod's names of types. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a whole number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

export interface SettingIssue {
  readonly issue: z.core.$ZodIssue;
  readonly path: Path;
}

/** Each at the innermost place. */
export function settingIssues({ issues }: z.core.$ZodError): SettingIssue[] {
  return issues.flatMap(branch).flatMap((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    return unknown.map((key) => ({
      issue,
      path: key === undefined ? issue.path : [...issue.path, key],
    }));
  });
}

/** For a value of several forms, the errors inside the matching one. */
function branch(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const forms = issue.errors.map((errors) => errors.flatMap(branch));
  // The form of which the value itself is of the expected kind.
  const inside =
    forms.find((errors) =>
      errors.some(({ code, path }) => path.length > 0 || code === 'unrecognized_keys'),
    ) ?? [];
  return inside.length === 0
    ? [issue]
    : inside.map((error) => ({ ...error, path: [...issue.path, ...error.path] }));
}

/** Without the value, which may be a secret. @param list which page lists all settings */
export function settingMessage(
  { issue, path }: SettingIssue,
  schema: JsonSchema,
  list = 'docs/reference/settings.md',
): string {
  const { code, message } = issue;
  if (code === 'unrecognized_keys') return unknownSetting(path, schema, list);
  if (code === 'invalid_key') return issue.issues[0]?.message ?? message;
  // The schema's own messages say more.
  if (!/^(Invalid|Too) /.test(message)) return message;
  if (code === 'invalid_type') {
    const wrong = message.endsWith('received string') ? ', not a text' : '';
    return `expected ${expected(issue, schemaAt(path, schema))}${wrong}`;
  }
  if (code === 'invalid_value') {
    const words = issue.values.map((value) => `\`${String(value)}\``);
    return `expected ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}`;
  }
  if (code !== 'too_small' && code !== 'too_big') return message;
  const what = expected(issue, schemaAt(path, schema));
  const isEmpty = code === 'too_small' && ['string', 'array'].includes(issue.origin);
  return `expected ${what}${isEmpty ? ' that is not empty' : ''}`;
}

function expected(issue: z.core.$ZodIssue, schema: JsonSchema | undefined): string {
  const type = 'expected' in issue ? issue.expected : 'origin' in issue ? issue.origin : '';
  const { minimum, maximum } = formsOf(schema).find((form) => form.minimum !== undefined) ?? {};
  const what = TYPES[type] ?? type;
  if (what !== 'a whole number' || minimum === undefined) return what;
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? `${what} of at least ${minimum}`
    : `${what} from ${minimum} to ${maximum}`;
}

function unknownSetting(path: Path, schema: JsonSchema, list: string): string {
  const names = formsOf(schemaAt(path.slice(0, -1), schema)).flatMap(({ properties = {} }) =>
    Object.keys(properties),
  );
  const { did_you_mean: meant } = suggestion(String(path.at(-1)), names);
  return meant === undefined
    ? `there is no such setting. ${list} lists all`
    : `there is no such setting. Did you mean ${meant}?`;
}

function schemaAt(path: Path, schema: JsonSchema): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>(
    (outer, key) =>
      formsOf(outer)
        .map((form) => inner(form, key))
        .find(Boolean),
    schema,
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

export const aFunction = z.custom((value) => typeof value === 'function', 'expected a function');

/** @throws {SettingsError} naming each mistake by its place */
export function checkedOptions<Kind extends z.ZodType>(
  schema: Kind,
  options: unknown,
): z.output<Kind> {
  const reading = schema.safeParse(options);
  if (reading.success) return reading.data;
  const forms = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const lines = settingIssues(reading.error).map((issue) => {
    const isInFile = ['models', 'roles'].includes(String(issue.path[0]));
    const list = isInFile ? undefined : 'The README of @proj/fastify';
    const place = issue.path.map(String).map(nameText).join('.');
    return `${place}: ${settingMessage(issue, forms, list)}`;
  });
  throw new SettingsError(lines.join('\n'));
}
