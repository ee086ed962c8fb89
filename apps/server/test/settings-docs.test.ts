import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { expect, it } from 'vitest';
import * as z from 'zod';

import { RELOADED_SETTINGS } from '../src/settings/restart.ts';
import { settingsSchema } from '../src/settings/schema.ts';
import { SETTING_SOURCES } from '../src/settings/sources.ts';

const PAGE = new URL('../../../docs/settings.md', import.meta.url);

/** The part of JSON Schema that the settings use. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

it('docs/settings.md is the table of the settings (UPDATE_DOCS=1 writes it)', () => {
  const page = settingsPage();
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, page);
  expect(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '').toBe(page);
});

it('every setting that a reload applies is one of the table', () => {
  const unknown = RELOADED_SETTINGS.filter(
    (name) => !rows(schemaOf(), []).some(([key]) => key === code(name)),
  );
  expect(unknown).toEqual([]);
});

it('every setting of the table says what it is', () => {
  const silent = SETTING_SOURCES.filter(({ path }) => {
    const setting = path.reduce<Schema | undefined>(
      (schema, key) => membersIn(schema)?.[key],
      schemaOf(),
    );
    return setting?.description?.endsWith('.') !== true;
  });
  expect(silent).toEqual([]);
});

function schemaOf(): Schema {
  return z.toJSONSchema(settingsSchema, { io: 'input' }) as Schema;
}

function settingsPage(): string {
  const schema = schemaOf();
  const model = mappingOf(schema.properties?.['models']);
  const attribute = mappingOf(model.properties?.['attributes']?.anyOf?.[1]);
  return `# Settings

<!-- Made from apps/server/src/settings/schema.ts by apps/server/test/settings-docs.test.ts; UPDATE_DOCS=1 writes it. -->

A flag wins over an environment variable, which wins over the YAML file, which wins over the default. The file is named by \`--config\`
or \`CONFIG\`. An empty environment variable counts as not set. An unknown key, a key named twice and a value of the wrong kind stop the
start with a message that names the place.

${table(['key in the file', 'environment', 'flag', 'value', 'default', 'meaning'], rows(schema, []))}

A secret has no flag: other users of the machine can read the command line. Beside every variable there is one with \`_FILE\` at its end
that names a file with the value, as Docker, systemd and Kubernetes hand secrets on: \`DATABASE_URL_FILE=/run/secrets/database_url\`. It
serves \`\${NAME}\` in the settings file too. Such a file is read at the start, and again at each reload; it is not followed.

## What a running server takes over

A running server follows its settings file. It takes over ${listOf(RELOADED_SETTINGS.map(code))}, all together or not at all: everything is
checked first, as at the start, and where a check fails the previous settings stay and one error in the log says what to fix and where.
A change of any other setting is named in the log and takes effect after a restart.

The content of the file is compared several times a second, through symbolic links and folders that are swapped, as Kubernetes mounts
them: a change is applied within a second, and files beside it do not matter. \`SIGHUP\` (\`kill -HUP\`, \`systemctl reload\` with
\`ExecReload=kill -HUP $MAINPID\`) reads the settings and the schema of the database again, without a settings file too, and never ends
the server; a table or a column that is new in the database is shown after it where the settings expose it. What fails because the
database does not answer is tried again by itself.

## A model: \`models.<name>\`

${membersOf(model)}

An attribute, \`models.<name>.attributes.<name>\`:

${membersOf(attribute)}

A term of \`default_sort\`, and \`deprecated\` of a model or an attribute:

${membersOf(model.properties?.['default_sort']?.items)}

${membersOf(model.properties?.['deprecated'])}
`;
}

/** The schema of the values of a mapping. */
function mappingOf(schema: Schema | undefined): Schema {
  const values = schema?.additionalProperties;
  if (typeof values !== 'object') throw new Error('This is no mapping.');
  return values;
}

function membersOf(schema: Schema | undefined): string {
  const members = Object.entries(schema?.properties ?? {});
  return table(
    ['key', 'value', 'meaning'],
    members.map(([key, member]) => [code(key), valueOf(member), member.description ?? '']),
  );
}

function rows(schema: Schema, path: readonly string[]): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, setting]) => {
    const here = [...path, key];
    if (setting.properties !== undefined) return rows(setting, here);
    const name = here.join('.');
    const source = SETTING_SOURCES.find((candidate) => candidate.path.join('.') === name);
    const fallback = schema.required?.includes(key) === true ? 'required' : defaultOf(setting);
    const env = source === undefined ? '' : code(source.env);
    const flag = source?.flag === undefined ? '' : code(`--${source.flag}`);
    const row = [code(name), env, flag, valueOf(setting), fallback, setting.description ?? ''];
    return [row, ...rows({ properties: membersIn(setting) ?? {} }, here)];
  });
}

/** The members of a mapping, also where another value may stand in its place. */
function membersIn(schema: Schema | undefined): Schema['properties'] {
  return schema?.properties ?? schema?.anyOf?.find(({ properties }) => properties)?.properties;
}

/** A table with padded columns, as the formatter writes it. */
function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => ''), ...body].map((cells) =>
    cells.map((cell) => cell.replaceAll('|', '\\|')),
  );
  const widths = head.map((_cell, column) =>
    Math.max(3, ...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  const padded = lines.map((cells, index) =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, index === 1 ? '-' : ' ')),
  );
  return padded.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function defaultOf({ default: value }: Schema): string {
  return value === undefined ? '' : code(typeof value === 'string' ? value : JSON.stringify(value));
}

function valueOf({
  type,
  enum: words,
  const: word,
  anyOf,
  items,
  format,
  minimum,
  maximum,
}: Schema): string {
  if (anyOf !== undefined) return anyOf.map(valueOf).join(', or ');
  if (word !== undefined) return code(word);
  if (items !== undefined) return `list of ${listItems(items)}`;
  if (format !== undefined) return FORMATS[format] ?? format;
  if (words !== undefined) return words.map(code).join(', ');
  if (type === 'number') return `${minimum} to ${maximum}`;
  if (type === 'integer')
    return maximum === undefined || maximum > 65_535
      ? `whole number from ${minimum}`
      : `${minimum} to ${maximum}`;
  return { string: 'text', boolean: '`true`, `false`', object: 'mapping' }[type ?? ''] ?? '';
}

/** What the formats of JSON Schema are called. */
const FORMATS: Readonly<Record<string, string>> = {
  date: 'date',
  uri: 'URL',
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
  cidrv4: 'IPv4 network',
  cidrv6: 'IPv6 network',
};

function listItems({ anyOf, type }: Schema): string {
  if (anyOf === undefined) return type === 'string' ? 'texts' : 'mappings';
  return listOf(anyOf.map((item) => plural(valueOf(item))));
}

function plural(noun: string): string {
  return noun.endsWith('s') ? `${noun}es` : `${noun}s`;
}

function listOf(texts: readonly string[]): string {
  return `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

function code(text: string): string {
  return `\`${text}\``;
}
