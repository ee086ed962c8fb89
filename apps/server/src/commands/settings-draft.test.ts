import { expect, it } from 'vitest';
import { parse } from 'yaml';

import type { Relation } from '@proj/engine';

import { resolveReferences } from '../settings/file/references.ts';
import { variablesOf } from '../settings/file/variables.ts';
import { settingsSchema } from '../settings/schema.ts';
import { settingsDraft } from './settings-draft.ts';

it('names the change feed in a comment, with one line of meaning, where the database is PostgreSQL', () => {
  const draft = settingsDraft([{ relations: [], database: 'postgres://shop@db/shop' }]);
  expect(draft).toMatch(
    /^database: postgres:\/\/shop@db\/shop\n# Follow the changes [^\n]+\n# follow: true\nexpose: listed$/m,
  );
});

function column(name: string) {
  return { name, databaseType: '', type: 'int64', nullable: false, description: null } as const;
}

function table(name: string, more: Partial<Relation>): Relation {
  return {
    path: [name],
    name,
    kind: 'table',
    columns: ['id', 'customer_id', 'agent'].map(column),
    keys: [[{ column: 'id' }]],
    description: null,
    ...more,
  };
}

it('writes names and comments of the database as they are, never as variables of the environment', () => {
  const named = { ...column('${A}'), description: 'of ${A}' };
  const relation = { columns: [named, column('id')], description: '${A:-none}' };
  const nearKey = { why: 'nullable', columns: ['${A}'], holdsNull: false } as const;
  const draft = settingsDraft([
    {
      relations: [table('${A}', { ...relation, nearKey }), table('b', { keys: [], nearKey })],
      database: 'sqlite:${A}.db',
    },
  ]);
  expect(resolveReferences(parse(draft), variablesOf({ A: 'secret' }))).toMatchObject({
    value: {
      database: 'sqlite:${A}.db',
      models: {
        '${A}': {
          description: '${A:-none}',
          key: ['${A}'],
          attributes: { '${A}': { description: 'of ${A}' } },
        },
      },
    },
    errors: [],
  });
  expect(draft).toContain('key: [ "$${A}" ]');
});

it('names the relation of each foreign key, or says why it is none', () => {
  const orders = table('orders', {
    foreignKeys: [
      { columns: ['customer_id'], relation: ['customers'], key: ['id'] },
      { columns: ['agent'], relation: ['customers'], key: ['agent'] },
    ],
  });
  const customers = table('customers', { uniqueKeys: [[{ column: 'id' }]] });
  expect(settingsDraft([{ relations: [customers, orders], database: 'sqlite:shop.db' }])).toContain(
    [
      '  orders:',
      '    # relation: customer → customers',
      '    # no relation: agent → customers: no unique index of all rows has exactly the columns of the key, so that one record could lead to several',
      '    attributes:',
    ].join('\n'),
  );
});

it('names relations apart that would share a name, as foreign keys of two columns do', () => {
  const ends = ['customer_id', 'agent'].map((place) => ({
    columns: ['id', place],
    relation: ['customers'],
    key: ['id', '${A}'],
  }));
  const uniqueKeys = [[{ column: 'id' }, { column: '${A}' }]];
  const customers = table('customers', { columns: ['id', '${A}'].map(column), uniqueKeys });
  const relations = [customers, table('orders', { foreignKeys: ends })];
  const draft = settingsDraft([{ relations, database: 'sqlite:shop.db' }]);
  const end = { model: 'customers', key: ['id', '$${A}'] };
  expect(parse(draft)).toMatchObject({
    models: {
      orders: {
        relations: {
          id_customer_id_customers: { attributes: ['id', 'customer_id'], ...end },
          id_agent_customers: { attributes: ['id', 'agent'], ...end },
        },
      },
    },
  });
  expect(draft).not.toContain('relation:');
});

it('does not name the change feed of a database that has none', () => {
  expect(settingsDraft([{ relations: [], database: 'sqlite:/data/shop.db' }])).not.toContain(
    'follow',
  );
  expect(settingsDraft([{ relations: [], database: 'mariadb://shop@db/shop' }])).not.toContain(
    'follow',
  );
});

it('proposes database sessions in a comment that is valid settings, where tables have policies', () => {
  const database = 'postgres://shop@db/shop';
  expect(settingsDraft([{ relations: [table('orders', {})], database }])).not.toContain(
    'database_session',
  );
  const draft = settingsDraft([{ relations: [table('orders', { hasPolicies: true })], database }]);
  const [, comment = ''] = /^expose: listed\n((?:# .*\n)+)models:$/m.exec(draft) ?? [];
  const proposed = comment
    .split('\n')
    .slice(1)
    .map((line) => line.replace('# ', ''));
  expect(settingsSchema.parse({ database, ...Object(parse(proposed.join('\n'))) })).toMatchObject({
    roles: {
      callers: {
        models: 'all',
        database_session: { role: 'authenticated', settings: { 'app.tenant': '$claims.tenant' } },
      },
    },
  });
});

it('leaves out a relation whose name another one has too', () => {
  const path = ['a', 'b'];
  const draft = settingsDraft([
    {
      relations: [table('a.b', {}), table('a.b', { path, kind: 'view' })],
      database: 'postgres://shop@db/shop',
    },
  ]);
  expect(parse(draft)).toMatchObject({ models: { 'a.b': { attributes: { id: {} } } } });
  expect(draft).toContain(
    '# a.b (view) is left out. It is "a"."b", and only "a.b" is found by this name: rename one.',
  );
});

it('leaves out a table of no one state, with the settings that accept that', () => {
  const distributed = 'Its storage engine ARCHIVE does not promise one state of the data.';
  const draft = settingsDraft([
    { relations: [table('log', { distributed })], database: 'mysql://shop@db/shop' },
  ]);
  expect(parse(draft)).toMatchObject({ models: {} });
  expect(draft).toContain(
    `# log (table) is left out. ${distributed} Rows and total of a reply could be of different states. ` +
      'To accept that, which its replies say then:\n' +
      '#   "log": { distributed: approximate, attributes: all }',
  );
});

it('says of a relation without a key what its unique index lacks, and names the columns', () => {
  const nearKey = { why: 'prefix', columns: ['code'] } as const;
  const draft = settingsDraft([
    { relations: [table('log', { keys: [], nearKey })], database: 'mysql://shop@db/shop' },
  ]);
  expect(draft).toContain(
    '# log (table) is left out. Its unique index is over the beginning of a column, and does not sort whole values. ' +
      'If none of its columns is NULL, declare the key:\n' +
      '#   "log": { key: [ code ], attributes: all }',
  );
});
