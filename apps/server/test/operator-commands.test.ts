import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { run } from '../src/run.ts';

let folder = '';
let database = '';
let output = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'operator-'));
  const path = join(folder, 'shop.db');
  const shop = new DatabaseSync(path);
  shop.exec(`
    create table orders (id integer primary key, customer text not null, note text);
    insert into orders values (1, 'a', null), (2, 'a', 'x'), (3, 'b', 'y');
    create view customers as select distinct customer from orders;
  `);
  shop.close();
  database = `sqlite:${path}`;
  output = '';
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      output += String(text);
      return true;
    });
  }
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the operator's command in this process and gives its exit code. */
async function command(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  try {
    return (await run({ args, env })) ?? 0;
  } finally {
    vi.restoreAllMocks();
  }
}

function settings(text: string): string {
  const path = join(folder, 'settings.yaml');
  writeFileSync(path, text);
  return path;
}

/** The schema that a settings file names for editors. */
function schemaNamed(file: string): string | undefined {
  return /^# yaml-language-server: \$schema=(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1];
}

describe('dynamic-query init', () => {
  it('writes a file that check accepts, with every attribute by name and what is left out', async () => {
    const file = join(folder, 'dynamic-query.yaml');
    expect(await command(['init', '--database', database, '--output', file])).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('expose: listed');
    expect(text).toContain('      note: {} # text, may be null');
    expect(text).toContain('# customers (view) is left out.');
    expect(await command(['check', '--config', file])).toBe(0);
  });

  it('says in a comment how a column of SQLite stores its dates', async () => {
    const path = join(folder, 'dates.db');
    const file = new DatabaseSync(path);
    file.exec(`create table events (id integer primary key, at datetime);
      insert into events (at) values ('2021-01-01 00:00:00'), ('2021-01-02 00:00:00'), (1609459200)`);
    file.close();
    expect(await command(['init', '--database', `sqlite:${path}`, '--output', '-'])).toBe(0);
    const found =
      'found: 2 × YYYY-MM-DD HH:MM:SS, 1 × integer; say what the numbers count with stored_as';
    expect(output).toContain(`at: {} # timestamp, may be null; ${found}`);
  });

  it('proposes the primary key of a SQLite table that could hold NULL and does not, and says of another why its key is the number of the row', async () => {
    const path = join(folder, 'codes.db');
    const file = new DatabaseSync(path);
    file.exec(`create table countries (code text primary key, name text);
      insert into countries values ('at', 'Austria'), ('it', 'Italy');
      create table notes (code text primary key); insert into notes values ('a'), (null), (null);
      create table days (day date primary key)`);
    file.close();
    const draft = join(folder, 'codes.yaml');
    expect(await command(['init', '--database', `sqlite:${path}`, '--output', draft])).toBe(0);
    const text = readFileSync(draft, 'utf8');
    expect(text).toContain(
      '  countries:\n    key: [ code ] # no row has NULL there, though SQLite allows it; ' +
        'without this line the key is the number of the row\n    attributes:\n      code: {}',
    );
    expect(text).toContain('# int64; the key, as code is NULL in some row\n      code: {}');
    expect(text).toContain('# int64; the key, as day may be NULL\n      day: {}');
    expect(await command(['check', '--config', draft])).toBe(0);
  });

  it.each([
    ['there', '', './node_modules/@proj/server/settings.schema.json'],
    ['in a folder above', 'deploy/shop', '../../node_modules/@proj/server/settings.schema.json'],
  ])('names the schema of the package that is installed %s', async (_title, below, named) => {
    const installed = join(folder, 'node_modules/@proj/server');
    mkdirSync(join(folder, below), { recursive: true });
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, 'settings.schema.json'), '{}');
    const file = join(folder, below, 'shop.yaml');
    expect(await command(['init', '--database', database, '--output', file])).toBe(0);
    expect(schemaNamed(file)).toBe(named);
    expect(existsSync(join(folder, below, named))).toBe(true);
    expect(readdirSync(join(folder, below))).not.toContain('shop.schema.json');
  });

  it('puts a copy of the schema beside the file where no package is installed', async () => {
    const file = join(folder, 'shop.yaml');
    const copy = join(folder, 'shop.schema.json');
    writeFileSync(copy, 'of an older version');
    expect(await command(['init', '--database', database, '--output', file])).toBe(0);
    expect(output).toContain(`Wrote ${file}, and ${copy} for editors.`);
    expect(schemaNamed(file)).toBe('./shop.schema.json');
    const packaged = new URL('../settings.schema.json', import.meta.url);
    expect(JSON.parse(readFileSync(copy, 'utf8'))).toEqual(
      JSON.parse(readFileSync(packaged, 'utf8')),
    );
  });

  it('names the next command as the operator started this one', async () => {
    const written = join(folder, 'started.yaml');
    const args = ['init', '--database', database, '--output', written];
    await run({ args, env: {}, command: 'npx pnpm start' });
    expect(output).toContain(`, then: npx pnpm start check --config ${written}\n`);
  });

  it('does not overwrite a file', async () => {
    const file = settings('precious: true');
    expect(await command(['init', '--database', database, '--output', file])).toBe(1);
    expect(output).toContain('it exists already');
    expect(readFileSync(file, 'utf8')).toBe('precious: true');
  });

  it('writes to standard output, from the database that the environment names', async () => {
    expect(await command(['init', '--output', '-'], { DATABASE_URL: database })).toBe(0);
    expect(output).toContain('orders:');
  });

  it('says what is missing without a database', async () => {
    expect(await command(['init'])).toBe(2);
    expect(output).toBe(
      'dynamic-query: database: none is given. Pass --database sqlite:/path/to/your.db, or set DATABASE_URL.\n',
    );
  });
});

describe('dynamic-query check', () => {
  it('lists every error with its line and a remedy, and exits with 1', async () => {
    const config = settings(
      [
        'database: ${SHOP}',
        'models:',
        '  orders:',
        '    attributes:',
        '      id: {}',
        '      costumer: {}',
        '    default_sort: [{ attribute: note }]',
        '    label: note',
        '  invoices: { attributes: all }',
        '  customers: { attributes: all }',
      ].join('\n'),
    );
    expect(await command(['check', '--config', config], { SHOP: database })).toBe(1);
    expect(
      output.replaceAll(`${config}:`, '').replace('dynamic-query: ', '').trim().split('\n'),
    ).toEqual([
      '6: models.orders.attributes.costumer: orders has no column named "costumer". It has: id, customer, note.',
      '7: models.orders.default_sort.0.attribute: The model has no attribute named "note" that it could be sorted by. It has: id.',
      '8: models.orders.label: The model has no attribute named "note". It has: id.',
      '9: models.invoices: The database has no table or view named "invoices". It has: customers, orders.',
      '10: models.customers: The view has no unique key, so its rows have no total order and pages would repeat and lose rows. ' +
        'Name columns that are unique together and never NULL: models: { customers: { key: [column] } }',
    ]);
  });

  it('does not say of a role that a model is missing whose own error is listed', async () => {
    const config = settings(
      [
        'database: ${SHOP}',
        'models:',
        '  orders: { attributes: all, default_sort: [{ attribute: nope }] }',
        'roles:',
        '  sales: { models: { orders: {}, invoices: {} } }',
      ].join('\n'),
    );
    expect(await command(['check', '--config', config], { SHOP: database })).toBe(1);
    expect(output.replaceAll(`${config}:`, '').trim().split('\n')).toEqual([
      expect.stringContaining('3: models.orders.default_sort.0.attribute: '),
      '5: roles.sales.models.invoices: There is no such model. There are: none.',
    ]);
  });

  it.each([
    ['accepts a declared key that is unique', '[customer]', 0],
    ['refuses one that is not', '[kind]', 1],
  ])('%s', async (_title, key, code) => {
    const shop = new DatabaseSync(database.replace('sqlite:', ''));
    shop.exec(
      `drop view customers; create view customers as select distinct customer, 'x' as kind from orders`,
    );
    shop.close();
    const config = settings(
      `database: \${SHOP}\nmodels:\n  customers: { key: ${key}, attributes: all }\n`,
    );
    expect(await command(['check', '--config', config], { SHOP: database })).toBe(code);
    expect(output).toContain(
      code === 0
        ? 'No errors. Models: customers'
        : `${config}:3: models.customers.key: The columns`,
    );
  });

  it('names each model that cannot be read, with a remedy, and goes on with the others', async () => {
    const shop = new DatabaseSync(database.replace('sqlite:', ''));
    shop.exec(`
      create view notes as select json_extract('{' || customer, '$.a') as id from orders;
      create view loads as select id, abs(case id when 1 then -9223372036854775807 - 1 else id end) as load from orders;
    `);
    shop.close();
    const models = [
      'notes: { key: [id], attributes: all }',
      'loads: { key: [id], attributes: all }',
      'invoices: {}',
    ];
    const config = settings(
      ['database: ${SHOP}', 'models:', ...models.map((model) => `  ${model}`)].join('\n'),
    );
    expect(await command(['check', '--config', config], { SHOP: database })).toBe(1);
    const remedy =
      'Change its definition so that it holds for all its data, or leave the model out.';
    expect(
      output.replaceAll(`${config}:`, '').replace('dynamic-query: ', '').trim().split('\n'),
    ).toEqual([
      expect.stringContaining(
        '5: models.invoices: The database has no table or view named "invoices".',
      ),
      `3: models.notes: It cannot be read (SQLite: malformed JSON). ${remedy}`,
      `4: models.loads: It cannot be read (SQLite: integer overflow). ${remedy}`,
    ]);
  });

  it.each([
    ['says', 'delete', true],
    ['has nothing to say of', 'wal', false],
  ])('%s how long exports may take of a file in journal mode %s', async (_title, mode, said) => {
    const shop = new DatabaseSync(database.replace('sqlite:', ''));
    shop.exec(`pragma journal_mode = ${mode}`);
    shop.close();
    const config = settings(`database: ${database}\nexpose: all\n`);
    expect(await command(['check', '--config', config])).toBe(0);
    const line = 'So exports end after limits.query_timeout_ms (10000).';
    expect(output.includes(line)).toBe(said);
  });

  it('finds a logo that the explorer could not show', async () => {
    const config = settings(`database: ${database}\nexpose: all\nbranding:\n  logo: none.svg\n`);
    expect(await command(['check', '--config', config])).toBe(1);
    expect(output).toContain(`${config}:4: branding.logo: none.svg cannot be read (ENOENT`);
  });

  it.each([
    ['no model to serve', 'expose: listed', 'models: none is exposed. List models'],
    ['an address for others without a token', 'host: 0.0.0.0', 'host: 0.0.0.0 can be reached'],
    ['a token that can be guessed', 'token: short\nhost: 0.0.0.0', 'token: it can be guessed.'],
    ['an audit log that cannot be written', 'audit: /dev/null/log', 'audit: the file cannot be'],
  ])('refuses what serve would refuse: %s', async (_title, text, message) => {
    const listed = text.startsWith('expose') ? '' : '\nexpose: all';
    const config = settings(`database: ${database}\n${text}${listed}\n`);
    chmodSync(config, 0o600);
    expect(await command(['check', '--config', config])).not.toBe(0);
    expect(output).toContain(`dynamic-query: ${message}`);
  });

  it('refuses a settings file with a secret that every user can read, and lists its other errors', async () => {
    const config = settings(
      `database: ${database}\nmodels: { invoices: {} }\ntoken: ${'x'.repeat(16)}\n`,
    );
    chmodSync(config, 0o644);
    expect(await command(['check', '--config', config])).not.toBe(0);
    expect(output).toContain(`Run: chmod o-r ${config}\n`);
    expect(output).toContain(`${config}:2: models.invoices: The database has no table`);
  });

  it('never prints what a variable holds', async () => {
    const config = settings('database: postgres://app:${PASSWORD}@127.0.0.1:1/shop\nexpose: all\n');
    expect(await command(['check', '--config', config], { PASSWORD: 's3cret-canary' })).toBe(1);
    expect(output).not.toContain('s3cret-canary');
  });

  it('names the variable that is missing, with its line', async () => {
    const config = settings('expose: all\ndatabase: ${NOPE}\n');
    expect(await command(['check', '--config', config])).toBe(2);
    expect(output).toBe(
      `dynamic-query: ${config}:2: database: the environment variable NOPE is not set. Set it, or write \${NOPE:-default}.\n`,
    );
  });
});

it('a command that does not exist is named, with those that do', async () => {
  expect(await command(['chekc'])).toBe(2);
  expect(output).toBe(
    'dynamic-query: there is no command "chekc". There are: help, serve, check, init, health, token, licenses.\n',
  );
});
