import { chmodSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { writeTo } from './helper.ts';
import { ORDERS, sharedDatabase, useOperator } from './operator.ts';

const operator = useOperator();
const { command, settings } = operator;

/** What was said, line by line, but for the path of the settings. */
function linesWithout(config: string): string[] {
  const text = operator.output.replaceAll(`${config}:`, '').replace('dynamic-query: ', '');
  return text.trim().split('\n');
}

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
    expect(linesWithout(config)).toEqual([
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
    expect(linesWithout(config)).toEqual([
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
    expect(linesWithout(config)).toEqual([
      expect.stringContaining(
        '5: models.invoices: The database has no table or view named "invoices".',
      ),
      `3: models.notes: It cannot be read (SQLite 1: malformed JSON). ${remedy}`,
      `4: models.loads: It cannot be read (SQLite 1: integer overflow). ${remedy}`,
      expect.stringContaining('7: models.kinds.key: The columns'),
    ]);
  });

  it('accepts a declared key that is unique, and has nothing to say of exports of a file in journal mode wal', async () => {
    writeTo(database.replace('sqlite:', ''), 'pragma journal_mode = wal');
    const config = settings(
      'database: ${SHOP}\nmodels:\n  customers: { key: [customer], attributes: all }\n',
    );
    expect(await command(['check', '--config', config], { SHOP: database })).toBe(0);
    expect(operator.output).toContain('No errors. Models: customers\n');
    expect(operator.output).not.toContain('limits.export_timeout_ms');
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
    expect(operator.output.replace('dynamic-query: ', '').trim().split('\n')).toEqual([
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
    expect(operator.output).toContain(`Run: chmod o-r ${config}\n`);
    expect(operator.output).toContain(`${config}:2: models.invoices: The database has no table`);
  });

  it('never prints what a variable holds', async () => {
    const config = settings('database: postgres://app:${PASSWORD}@127.0.0.1:1/shop\nexpose: all\n');
    expect(await command(['check', '--config', config], { PASSWORD: 's3cret-canary' })).toBe(1);
    expect(operator.output).not.toContain('s3cret-canary');
  });

  it('names the variable that is missing, with its line', async () => {
    const config = settings('expose: all\ndatabase: ${NOPE}\n');
    expect(await command(['check', '--config', config])).toBe(2);
    expect(operator.output).toBe(
      `dynamic-query: ${config}:2: database: the environment variable NOPE is not set. Set it, or write \${NOPE:-default}.\n`,
    );
  });
});

it('a command that does not exist is named, with those that do', async () => {
  expect(await command(['chekc'])).toBe(2);
  expect(operator.output).toBe(
    'dynamic-query: there is no command "chekc". There are: help, serve, check, init, health, token, licenses.\n',
  );
});
