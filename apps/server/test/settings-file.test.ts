import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

import { describe, expect, it } from 'vitest';

import { loadAddress } from '../src/settings/address.ts';
import { loadSettings } from '../src/settings/file/load.ts';
import { errorOf, settingsFile } from './settings-files.ts';

const DATABASE = 'database: sqlite:/x.db\n';

/** The errors of a settings file, without its path. */
async function errorsOf(text: string): Promise<string[]> {
  const file = settingsFile(text);
  const message = await errorOf({ flags: { config: file }, env: {} });
  return message.split('\n').map((line) => line.replace(file, 'file'));
}

describe('a settings file with an error is refused at its line', () => {
  it.each([
    [
      'an unknown key',
      `${DATABASE}\nprot: 80\n`,
      ['file:3: prot: there is no such setting. Did you mean port?'],
    ],
    [
      '`rolls` for `roles`',
      `${DATABASE}rolls: {}\n`,
      ['file:2: rolls: there is no such setting. Did you mean roles?'],
    ],
    [
      'an unknown key in a group',
      `${DATABASE}limits:\n  max_size: 5\n`,
      ['file:3: limits.max_size: there is no such setting. docs/reference/settings.md lists all'],
    ],
    [
      'an unknown key of a model',
      `${DATABASE}models:\n  a:\n    keys: [id]\n`,
      ['file:4: models.a.keys: there is no such setting. Did you mean key?'],
    ],
    [
      'a key that is a name of objects',
      `${DATABASE}__proto__: 1\n`,
      ['file:2: __proto__: there is no such setting. docs/reference/settings.md lists all'],
    ],
    [
      'a text for a number',
      `${DATABASE}port: http\n`,
      ['file:2: port: expected a whole number from 0 to 65535'],
    ],
    [
      'a number in quotes',
      `${DATABASE}port: "80"\n`,
      ['file:2: port: expected a whole number from 0 to 65535, not a text'],
    ],
    ['a number for a text', `database: 5\n`, ['file:1: database: expected a text']],
    [
      'a port out of range',
      `${DATABASE}port: 65536\n`,
      ['file:2: port: expected a whole number from 0 to 65535'],
    ],
    ['a number for a group', `${DATABASE}limits: 5\n`, ['file:2: limits: expected a mapping']],
    [
      'a word for the models',
      `${DATABASE}models: all\n`,
      ['file:2: models: expected a list of models, or a mapping of models by name'],
    ],
    [
      'a word for a model',
      `${DATABASE}models:\n  a: some\n`,
      ['file:3: models.a: expected `all`, a list of attributes, or a mapping'],
    ],
    [
      'a model of which nothing is said',
      `${DATABASE}models:\n  a:\n`,
      ['file:3: models.a: expected `all`, a list of attributes, or a mapping'],
    ],
    [
      'a list of attributes with something else',
      `${DATABASE}models:\n  a: [id, 5]\n`,
      ['file:3: models.a.1: expected a text'],
    ],
    [
      'a number in a list of models',
      `${DATABASE}models:\n  - a\n  - 5\n`,
      ['file:4: models.1: expected a text'],
    ],
    [
      'an unknown key of a model of a role',
      `${DATABASE}roles:\n  r:\n    models:\n      a: { row: {} }\n`,
      ['file:5: roles.r.models.a.row: there is no such setting. Did you mean rows?'],
    ],
    [
      'a word for the attributes of a role',
      `${DATABASE}roles: { r: { models: { a: { attributes: some } } } }\n`,
      ['file:2: roles.r.models.a.attributes: expected `all`, or a list of attributes'],
    ],
    [
      'a number in the attributes of a role',
      `${DATABASE}roles: { r: { models: { a: [5] } } }\n`,
      ['file:2: roles.r.models.a.0: expected a text'],
    ],
    [
      'a word that is no direction in a default order',
      `${DATABASE}models: { a: { default_sort: [{ attribute: id, direction: down }] } }\n`,
      ['file:2: models.a.default_sort.0.direction: expected one of `asc`, `desc`'],
    ],
    [
      'a number for the workers',
      `${DATABASE}workers: 65\n`,
      ['file:2: workers: expected a whole number from 1 to 64'],
    ],
    [
      'an empty key of a model',
      `${DATABASE}models:\n  a: { key: [] }\n`,
      ['file:3: models.a.key: expected a list that is not empty'],
    ],
    [
      'a page size of 0',
      `${DATABASE}models:\n  a: { max_page_size: 0 }\n`,
      ['file:3: models.a.max_page_size: expected a whole number of at least 1'],
    ],
    [
      'a word that is not on offer',
      `${DATABASE}expose: some\n`,
      ['file:2: expose: expected one of `listed`, `all`'],
    ],
    [
      'a word for the attributes',
      `${DATABASE}models:\n  a: { attributes: some }\n`,
      [/^file:3: models\.a\.attributes: expected `all`/],
    ],
    [
      'an unknown key of an attribute',
      `${DATABASE}models:\n  a:\n    attributes:\n      b: { colum: c }\n`,
      ['file:5: models.a.attributes.b.colum: there is no such setting. Did you mean column?'],
    ],
    [
      'an unknown type',
      `${DATABASE}models: { a: { attributes: { b: { type: number } } } }\n`,
      [/^file:2: models\.a\.attributes\.b\.type: /],
    ],
    [
      'several errors',
      `${DATABASE}port: x\nexpose: y\nz: 1\nprot: 2\n`,
      [/^file:2: port/, /^file:3: expose/, /^file:4: z/, /^file:5: prot.*mean port/],
    ],
    [
      'the same key twice',
      `${DATABASE}port: 1\nhost: a\nport: 2\n`,
      ['file:4: Map keys must be unique'],
    ],
    [
      'the same key twice in a group',
      `${DATABASE}limits:\n  drain_ms: 1\n  drain_ms: 2\n`,
      ['file:4: Map keys must be unique'],
    ],
    [
      'the same model twice',
      `${DATABASE}models:\n  a: {}\n  a: {}\n`,
      ['file:4: Map keys must be unique'],
    ],
    ['a list that does not close', `${DATABASE}models: {\n`, [/^file:3: Flow map/]],
    ['a text that does not close', `${DATABASE}host: "a\n`, [/^file:3: Missing closing/]],
    [
      'a tab for indentation',
      `${DATABASE}limits:\n\tdrain_ms: 1\n`,
      [/^file:3: Tabs are not allowed/],
    ],
    ['a colon in a value', `${DATABASE}host: a: b\n`, [/^file:2: Nested mappings are not allowed/]],
    [
      'two documents',
      `${DATABASE}---\nport: 1\n`,
      [/^file:2: Source contains multiple documents$/],
    ],
    ['an alias of nothing', `${DATABASE}host: *nowhere\n`, ['file:2: Unresolved alias']],
    [
      'an alias of what it is part of',
      `${DATABASE}models: &all\n  a: { attributes: [*all] }\n`,
      ['file:3: Alias of what it is part of'],
    ],
    [
      'aliases that repeat one another',
      `${DATABASE}a: &a [${'x, '.repeat(9)}]\nb: &b [${'*a, '.repeat(12)}]\nc: [${'*b, '.repeat(12)}]\n`,
      ['file: its aliases repeat too much. Write out what they stand for.'],
    ],
    [
      'a list of settings',
      `- database: a\n`,
      ['file: expected a mapping of settings, such as "expose: all".'],
    ],
    [
      'a merge of something else than a mapping',
      `${DATABASE}models:\n  a: { <<: [5] }\n`,
      ['file: a `<<` stands for something else than mappings.'],
    ],
    [
      'a key twice, once as a number',
      `${DATABASE}models:\n  1: {}\n  "1": {}\n`,
      ['file:4: Map keys must be unique'],
    ],
    ['a single word', `sqlite\n`, ['file: expected a mapping of settings, such as "expose: all".']],
  ])('%s', async (_what, text, expected) => {
    const errors = await errorsOf(text);
    expect(errors).toHaveLength(expected.length);
    for (const [index, error] of expected.entries()) expect(errors[index]).toMatch(error);
  });

  it('though a flag or a variable would fill the wrong group', async () => {
    const config = settingsFile(`${DATABASE}limits: 5\n`);
    expect(await errorOf({ flags: { config, 'drain-ms': '1' }, env: {} })).toMatch(
      /limits: expected a mapping/,
    );
  });
});

it('each of 20,000 unknown keys is named at its line', async () => {
  const keys = Array.from({ length: 20_000 }, (_key, index) => `key${index}: 1\n`);
  const errors = await errorsOf(DATABASE + keys.join(''));
  expect([errors.length, errors.at(-1)]).toEqual([
    20_000,
    expect.stringContaining('file:20001: key19999: there is no such setting.'),
  ]);
});

it('a model of a settings file may be that of another with some changes', async () => {
  const shared = 'a: &shared { key: [id], description: A }';
  const text = `${DATABASE}models:\n  ${shared}\n  b:\n    <<: *shared\n    key: [b]\n`;
  const { models } = await loadSettings({ flags: { config: settingsFile(text) }, env: {} });
  expect(models['b']).toEqual({ key: ['b'], description: 'A' });
});

describe('a variable that is a whole value of a settings file', () => {
  const text = `${DATABASE}port: \${WEB_PORT}\nmcp: \${AGENTS:-true}\nworkers: \${WORKERS_HERE}\n`;
  const TEXTS = { WEB_PORT: '80', WORKERS_HERE: 'auto', TOKEN_HERE: '123' };

  it('is the number or the truth that it writes where the setting takes no text', async () => {
    const config = settingsFile(`${text}token: \${TOKEN_HERE}\n`);
    expect(await loadSettings({ flags: { config }, env: TEXTS })).toMatchObject({
      port: 80,
      mcp: true,
      workers: 'auto',
      token: '123',
    });
    expect(await loadAddress({ flags: { config }, env: TEXTS })).toMatchObject({ port: 80 });
  });

  it('is named, without its text, where it writes something else', async () => {
    const config = settingsFile(`${text}public_url: \${URL_HERE}\n`);
    const env = { ...TEXTS, WEB_PORT: 's3cret', AGENTS: '1', URL_HERE: '5' };
    expect((await errorOf({ flags: { config }, env })).split('\n')).toEqual([
      `${config}:2 (WEB_PORT): port: expected a whole number from 0 to 65535, not a text`,
      `${config}:3 (AGENTS): mcp: expected true or false`,
      `${config}:5 (URL_HERE): public_url: expected an http or https URL`,
    ]);
  });
});

it('a variable is not named for a value elsewhere whose path reads alike', async () => {
  const config = settingsFile(`${DATABASE}models:\n  m.key: \${MODEL}\n  m: { key: 5 }\n`);
  expect((await errorOf({ flags: { config }, env: { MODEL: 'x' } })).split('\n')).toEqual([
    expect.stringContaining(`${config}:3 (MODEL): models.m.key: `),
    expect.stringContaining(`${config}:4: models.m.key: `),
  ]);
});

it('an empty settings file holds nothing, which is allowed', async () => {
  for (const text of ['', '\n', '# only a comment\n', '---\n']) {
    expect(await errorsOf(text)).toEqual([expect.stringMatching(/^database: none is given/)]);
  }
});

it('a settings file that is not there, or is a directory, is named', async () => {
  expect(await errorOf({ flags: { config: '/nowhere/settings.yaml' }, env: {} })).toMatch(
    /^\/nowhere\/settings\.yaml: the settings file cannot be read \(ENOENT.*\)\. Make one with `dynamic-query init`\.$/,
  );
  expect(await errorOf({ flags: {}, env: { CONFIG: tmpdir() } })).toMatch(
    /the settings file cannot be read \(EISDIR/,
  );
});

it.each(['utf16le', 'latin1'] as const)('a settings file in %s is refused', async (encoding) => {
  const file = settingsFile('');
  const text = `\uFEFF${DATABASE}expose: all # für alle\n`;
  writeFileSync(file, Buffer.from(text, encoding));
  expect(await errorOf({ flags: { config: file }, env: {} })).toBe(
    `${file}: the settings file is not UTF-8. Save it so.`,
  );
});

describe('no message holds a secret', () => {
  const SECRET = 's3cretValue';
  it.each([
    `*${SECRET}`,
    `!${SECRET}`,
    `!!${SECRET}`,
    `!<${SECRET}>`,
    `!x!${SECRET}`,
    `@${SECRET}`,
    `%${SECRET}`,
    `&${SECRET} !a b`,
    `|${SECRET}`,
    `>${SECRET}`,
    `${SECRET}!!`,
    `${SECRET}: x`,
    `"${SECRET}`,
    `'${SECRET}`,
    `"\\q${SECRET}"`,
    `[${SECRET}]`,
    `[${SECRET}`,
    `{${SECRET}}`,
    `{ a: ${SECRET}`,
    `? ${SECRET}`,
    `- ${SECRET}`,
    `${SECRET} # a\n  b: c`,
    `!!int ${SECRET}`,
    `!!binary ${SECRET}`,
    `"${SECRET}" x`,
    `\`${SECRET}`,
    `, ${SECRET}`,
    `} ${SECRET}`,
  ])('of a token in the file that is written as %s', async (text) => {
    const message = await errorOf({
      flags: { config: settingsFile(`${DATABASE}token: ${text}\n`) },
      env: {},
    });
    expect(message).not.toContain(SECRET);
    expect(message).toMatch(/settings\.yaml:\d+: \w+/);
  });

  it.each([`${SECRET}!`, `a ${SECRET}`, `"${SECRET}"`, `${SECRET}=x`, `ö${SECRET}`])(
    'of a token in the environment: %s',
    async (token) => {
      const message = await errorOf({
        flags: {},
        env: { DATABASE_URL: 'sqlite:/x.db', DYNAMIC_QUERY_ADMIN_TOKEN: token },
      });
      expect(message).toMatch(/^DYNAMIC_QUERY_ADMIN_TOKEN: token: expected the characters/);
      expect(message).not.toContain(SECRET);
    },
  );

  it('at the top of the file either', async () => {
    for (const text of [
      SECRET,
      `%${SECRET}\n---\na: 1\n`,
      `*${SECRET}`,
      `!${SECRET} x`,
      `- ${SECRET}`,
    ]) {
      expect(await errorOf({ flags: { config: settingsFile(text) }, env: {} })).not.toContain(
        SECRET,
      );
    }
  });
});
