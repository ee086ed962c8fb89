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

const like = (pattern: RegExp): string => expect.stringMatching(pattern) as string;

describe('a settings file with an error is refused at its line', () => {
  const NONE = 'there is no such setting.';
  const LIST = 'docs/reference/settings.md lists all';
  const MODEL = 'expected `all`, a list of attributes, or a mapping';
  const PORT = 'expected a whole number from 0 to 65535';
  const TWICE = 'Map keys must be unique';

  // Each stands below the line of the database.
  it.each<[text: string, ...errors: string[]]>([
    ['\nprot: 80', `3: prot: ${NONE} Did you mean port?`],
    ['rolls: {}', `2: rolls: ${NONE} Did you mean roles?`],
    ['limits:\n  max_size: 5', `3: limits.max_size: ${NONE} ${LIST}`],
    ['models:\n  a:\n    keys: [id]', `4: models.a.keys: ${NONE} Did you mean key?`],
    ['__proto__: 1', `2: __proto__: ${NONE} ${LIST}`],
    ['port: http', `2: port: ${PORT}, not a text`],
    ['port: "80"', `2: port: ${PORT}, not a text`],
    ['port: 65536', `2: port: ${PORT}`],
    ['host: 5', '2: host: expected a text'],
    ['limits: 5', '2: limits: expected a mapping'],
    ['models: all', '2: models: expected a list of models, or a mapping of models by name'],
    ['models:\n  a: some', `3: models.a: ${MODEL}`],
    ['models:\n  a:', `3: models.a: ${MODEL}`],
    ['models:\n  a: [id, 5]', '3: models.a.1: expected a text'],
    ['models:\n  - a\n  - 5', '4: models.1: expected a text'],
    [
      'roles:\n  r:\n    models:\n      a: { row: {} }',
      `5: roles.r.models.a.row: ${NONE} Did you mean rows?`,
    ],
    [
      'roles: { r: { models: { a: { attributes: some } } } }',
      '2: roles.r.models.a.attributes: expected `all`, or a list of attributes',
    ],
    ['roles: { r: { models: { a: [5] } } }', '2: roles.r.models.a.0: expected a text'],
    [
      'models: { a: { default_sort: [{ attribute: id, direction: down }] } }',
      '2: models.a.default_sort.0.direction: expected one of `asc`, `desc`',
    ],
    ['workers: 65', '2: workers: expected a whole number from 1 to 64'],
    ['models:\n  a: { key: [] }', '3: models.a.key: expected a list that is not empty'],
    [
      'models:\n  a: { max_page_size: 0 }',
      '3: models.a.max_page_size: expected a whole number of at least 1',
    ],
    ['expose: some', '2: expose: expected one of `listed`, `all`'],
    ['models:\n  a: { attributes: some }', like(/^3: models\.a\.attributes: expected `all`/)],
    [
      'models:\n  a:\n    attributes:\n      b: { colum: c }',
      `5: models.a.attributes.b.colum: ${NONE} Did you mean column?`,
    ],
    [
      'models: { a: { attributes: { b: { type: number } } } }',
      like(/^2: models\.a\.attributes\.b\.type: /),
    ],
    [
      'port: x\nexpose: y\nz: 1\nprot: 2',
      like(/^2: port/),
      like(/^3: expose/),
      like(/^4: z/),
      like(/^5: prot.*mean port/),
    ],
    ['port: 1\nhost: a\nport: 2', `4: ${TWICE}`],
    ['limits:\n  drain_ms: 1\n  drain_ms: 2', `4: ${TWICE}`],
    ['models:\n  a: {}\n  a: {}', `4: ${TWICE}`],
    ['models:\n  1: {}\n  "1": {}', `4: ${TWICE}`],
    ['models: {', like(/^3: Flow map/)],
    ['host: "a', like(/^3: Missing closing/)],
    ['limits:\n\tdrain_ms: 1', like(/^3: Tabs are not allowed/)],
    ['host: a: b', like(/^2: Nested mappings are not allowed/)],
    ['---\nport: 1', like(/^2: Source contains multiple documents$/)],
    ['host: *nowhere', '2: Unresolved alias'],
    ['models: &all\n  a: { attributes: [*all] }', '3: Alias of what it is part of'],
    [
      `a: &a [${'x, '.repeat(9)}]\nb: &b [${'*a, '.repeat(12)}]\nc: [${'*b, '.repeat(12)}]`,
      ' its aliases repeat too much. Write out what they stand for.',
    ],
    ['models:\n  a: { <<: [5] }', ' a `<<` stands for something else than mappings.'],
  ])('%j', async (text, ...expected) => {
    const errors = await errorsOf(`${DATABASE}${text}\n`);
    expect(errors.map((error) => error.replace('file:', ''))).toEqual(expected);
  });

  it.each(['- database: a', 'sqlite'])('and so is %s, which is no mapping', async (text) => {
    expect(await errorsOf(text)).toEqual([
      'file: expected a mapping of settings, such as "expose: all".',
    ]);
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
