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
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterFile } from '@proj/test-servers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';

import { proposeKeys } from '../src/checks/propose-keys.ts';
import { installedSchema } from '../src/commands/init.ts';
import { run } from '../src/run.ts';
import { databasesIn } from '../src/settings/databases.ts';
import { loadSettings } from '../src/settings/file/load.ts';
import { makeDatabase } from './helper.ts';

/** Each check starts one process that reads. */
const WORKERS = '8';

let folder = '';
let output = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'operator-'));
  output = '';
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the operator's command in this process and gives its exit code. */
async function command(
  args: readonly string[],
  env: Record<string, string> = {},
  typed?: string,
): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      output += String(text);
      return true;
    });
  }
  try {
    return (await run({ args, env: { WORKERS, ...env }, ...(typed && { command: typed }) })) ?? 0;
  } finally {
    vi.restoreAllMocks();
  }
}

/** A database for the tests of a block. */
function sharedDatabase(sql: string): string {
  const { directory, file } = makeDatabase(sql);
  afterFile(() => rmSync(directory, { recursive: true, force: true }));
  return `sqlite:${file}`;
}

const ORDERS = `
  create table orders (id integer primary key, customer text not null, note text);
  insert into orders values (1, 'a', null), (2, 'a', 'x'), (3, 'b', 'y');`;

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
  const database = sharedDatabase(`${ORDERS}
    create view customers as select distinct customer from orders;
    create table events (id integer primary key, at datetime);
    insert into events (at) values ('2021-01-01 00:00:00'), ('2021-01-02 00:00:00'), (1609459200);
    create table countries (code text primary key, name text);
    insert into countries values ('at', 'Austria'), ('it', 'Italy');
    create table notes (code text primary key);
    insert into notes values ('a'), (null), (null);
    create table days (day date primary key);`);
  const directory = dirname(database.slice('sqlite:'.length));
  const file = join(directory, 'shop.yaml');
  const copy = join(directory, 'shop.schema.json');
  let [code, said, text] = [-1, '', ''];
  beforeAll(async () => {
    output = '';
    writeFileSync(copy, 'of an older version');
    const args = ['init', '--database', database, '--output', file];
    code = await command(args, {}, 'npx -y pnpm start');
    [said, text] = [output, readFileSync(file, 'utf8')];
  });

  it('writes a file that check accepts, with every attribute by name and what is left out', async () => {
    expect(code).toBe(0);
    expect(text).toContain('expose: listed');
    expect(text).toContain('      note: {} # text, may be null');
    expect(text).toContain('# customers (view) is left out.');
    expect(await command(['check', '--config', file])).toBe(0);
    expect(output).toContain('So exports end after limits.query_timeout_ms (10000).');
  });

  it('says in a comment how a column of SQLite stores its dates', () => {
    const found =
      'found: 2 × YYYY-MM-DD HH:MM:SS, 1 × integer; say what the numbers count with stored_as';
    expect(text).toContain(`at: {} # timestamp, may be null; ${found}`);
  });

  it('proposes the primary key of a SQLite table that could hold NULL and does not, and says of another why its key is the number of the row', () => {
    expect(text).toContain(
      '  countries:\n    key: [ code ] # no row has NULL there, though SQLite allows it; ' +
        'without this line the key is the number of the row\n    attributes:\n      code: {}',
    );
    expect(text).toContain('# int64; the key, as code is NULL in some row\n      code: {}');
    expect(text).toContain('# int64; the key, as day may be NULL\n      day: {}');
  });

  it('puts a copy of the schema beside the file where no package is installed', () => {
    expect(said).toContain(`Wrote ${file}, and ${copy} for editors.`);
    expect(schemaNamed(file)).toBe('./shop.schema.json');
    const packaged = new URL('../settings.schema.json', import.meta.url);
    expect(JSON.parse(readFileSync(copy, 'utf8'))).toEqual(
      JSON.parse(readFileSync(packaged, 'utf8')),
    );
  });

  it('names the next command as the operator started this one', () => {
    expect(said).toContain(`, then: npx -y pnpm start check --config ${file}\n`);
  });

  it('does not overwrite a file', async () => {
    expect(await command(['init', '--database', database, '--output', file])).toBe(1);
    expect(output).toContain('it exists already');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('names the schema of the package that is installed in a folder above, and copies none', async () => {
    const below = join(folder, 'deploy/shop');
    const installed = join(folder, 'node_modules/@proj/server');
    for (const made of [below, installed]) mkdirSync(made, { recursive: true });
    writeFileSync(join(installed, 'settings.schema.json'), '{}');
    const above = '../../node_modules/@proj/server/settings.schema.json';
    const there = join(below, 'shop.yaml');
    expect(await command(['init', '--database', database, '--output', there])).toBe(0);
    expect(schemaNamed(there)).toBe(above);
    expect(existsSync(join(below, above))).toBe(true);
    expect(readdirSync(below)).not.toContain('shop.schema.json');
    expect(installedSchema(folder)).toBe('./node_modules/@proj/server/settings.schema.json');
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
  const database = sharedDatabase(`${ORDERS}
    create view customers as select distinct customer, 'x' as kind from orders;`);

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

  it('names each model that cannot be read and each declared key that is not unique, with a remedy, and goes on with the others', async () => {
    const broken = sharedDatabase(`${ORDERS}
      create view customers as select distinct customer, 'x' as kind from orders;
      create view notes as select json_extract('{' || customer, '$.a') as id from orders;
      create view loads as select id, abs(case id when 1 then -9223372036854775807 - 1 else id end) as load from orders;`);
    const models = [
      'notes: { key: [id], attributes: all }',
      'loads: { key: [id], attributes: all }',
      'invoices: {}',
      'customers: { key: [customer], attributes: all }',
      'kinds: { source: customers, key: [kind], attributes: all }',
    ];
    const config = settings(
      ['database: ${SHOP}', 'models:', ...models.map((model) => `  ${model}`)].join('\n'),
    );
    expect(await command(['check', '--config', config], { SHOP: broken })).toBe(1);
    const remedy =
      'Change its definition so that it holds for all its data, or leave the model out.';
    expect(
      output.replaceAll(`${config}:`, '').replace('dynamic-query: ', '').trim().split('\n'),
    ).toEqual([
      expect.stringContaining(
        '5: models.invoices: The database has no table or view named "invoices".',
      ),
      `3: models.notes: It cannot be read (SQLite 1: malformed JSON). ${remedy}`,
      `4: models.loads: It cannot be read (SQLite 1: integer overflow). ${remedy}`,
      expect.stringContaining('7: models.kinds.key: The columns'),
    ]);
  });

  it('accepts a declared key that is unique, and has nothing to say of exports of a file in journal mode wal', async () => {
    const shop = new DatabaseSync(database.replace('sqlite:', ''));
    shop.exec('pragma journal_mode = wal');
    shop.close();
    const config = settings(
      'database: ${SHOP}\nmodels:\n  customers: { key: [customer], attributes: all }\n',
    );
    expect(await command(['check', '--config', config], { SHOP: database })).toBe(0);
    expect(output).toContain('No errors. Models: customers\n');
    expect(output).not.toContain('limits.export_timeout_ms');
  });

  it('refuses what serve would refuse: no model, an address for others without a token, an audit log that cannot be written, a logo that the explorer could not show', async () => {
    const lines = [
      `database: ${database}`,
      'expose: listed',
      'host: 0.0.0.0',
      'audit: /dev/null/log',
      'branding:',
      '  logo: none.svg',
    ];
    const config = settings(lines.join('\n'));
    expect(await command(['check', '--config', config])).toBe(1);
    expect(output.replace('dynamic-query: ', '').trim().split('\n')).toEqual([
      expect.stringMatching(/^host: 0\.0\.0\.0 can be reached/),
      expect.stringContaining(`${config}:6: branding.logo: none.svg cannot be read (ENOENT`),
      expect.stringMatching(/^audit: the file cannot be/),
      expect.stringMatching(/^models: none is exposed\. List models/),
    ]);
  });

  it('refuses a settings file with a secret that every user can read, and lists its other errors', async () => {
    const config = settings(
      `database: ${database}\nmodels: { invoices: {} }\ntoken: ${'x'.repeat(16)}\n`,
    );
    chmodSync(config, 0o644);
    expect(await command(['check', '--config', config])).toBe(1);
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

describe('dynamic-query check --propose-keys', () => {
  const database = sharedDatabase(`${ORDERS}
    create table lines (order_id int, line int, note text);
    insert into lines values (1, 1, 'x'), (1, 2, 'x'), (2, 1, null);
    create table empty (code text);
    create table logs (text text);
    insert into logs values ('a'), ('a');
    create view by_customer as select customer, count(*) as orders from orders group by customer;
    create view lines_of as select * from lines join orders on id = order_id;
    create view same as select 1 as one from orders;
    create view none as select code from empty group by code;`);

  async function proposed(text: string): Promise<string> {
    output = '';
    const file = settings(`database: ${database}\n${text}`);
    expect(await command(['check', '--propose-keys', '--config', file])).toBe(0);
    return output;
  }

  it('prints settings with the columns that are unique in the data of each view without a key, one or a pair of them', async () => {
    const text = await proposed('expose: all');
    expect(parse(text)).toEqual({
      models: {
        by_customer: { key: ['customer'], attributes: 'all' },
        lines_of: { key: ['order_id', 'line'], attributes: 'all' },
      },
    });
    expect(text).toContain('key: [ customer ] # unique in 2 rows');
    expect(text).toContain('writers may break such a key');
    expect(text).toContain('# same: has no key among its likeliest columns and pairs of them.');
    expect(text).toContain('# none: has too few rows to see what is unique: 0.');
  });

  it('names the model by which the settings serve a view', async () => {
    const models = '{ sums: { source: by_customer, attributes: all } }';
    const text = await proposed(`expose: listed\nmodels: ${models}`);
    expect(parse(text).models).toMatchObject({ sums: { key: ['customer'] } });
    expect(parse(text).models.sums).not.toHaveProperty('attributes');
  });

  it('says of a view that takes longer than its part of the time, and of all without time, that they were not looked at to the end', async () => {
    const others = Array.from({ length: 10 }, (_, index) => `later_${index}`);
    const endless = sharedDatabase(`
      create view endless as
        with recursive n (i) as (select 1 union all select i + 1 from n) select i from n;
      ${others.map((name) => `create view ${name} as select 1 as one union select 2;`).join('')}`);
    const loaded = await loadSettings({ flags: { database: endless, workers: WORKERS }, env: {} });
    const [opened] = databasesIn(loaded);
    const why = 'was not looked at to the end: raise --seconds';
    const [first, ...later] = (opened && (await proposeKeys(opened.settings, 10_000))) ?? [];
    expect(first).toMatchObject({ model: 'endless', why });
    expect(later.map(({ model }) => model)).toEqual(others);
    expect(opened && (await proposeKeys(opened.settings, 0))).toMatchObject(
      ['endless', ...others].map((model) => ({ model, why })),
    );
  });

  it('says of many relations without a key what they have in common, or each with --verbose', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `same_${index + 10}`);
    const many = sharedDatabase(
      names.map((name) => `create view ${name} as select 1 as one;`).join(''),
    );
    const args = ['check', '--propose-keys', '--database', many];
    expect(await command(args)).toBe(0);
    expect(output).toBe(
      '# No key was found.\n# same_10, same_11, same_12, same_13, same_14 and 25 more ' +
        '(check --verbose lists all): has too few rows to see what is unique: 1.\n',
    );
    output = '';
    expect(await command([...args, '--verbose'])).toBe(0);
    expect(output.split('\n')).toHaveLength(32);
  });

  it('prints what check accepts, and no key of what the settings have one of', async () => {
    const all = await proposed('expose: all');
    expect(await command(['check', '--config', settings(`database: ${database}\n${all}`)])).toBe(0);
    const others = await proposed(all);
    expect(others).toContain('# No key was found.\n');
    expect(others).not.toContain('by_customer');
  });
});
