import { expect, it } from 'vitest';
import { parse } from 'yaml';

import type { Relation } from '@proj/engine';

import { settingsSchema } from '../settings/schema.ts';
import { settingsDraft } from './settings-draft.ts';

it('names the change feed in a comment, with one line of meaning, where the database is PostgreSQL', () => {
  const draft = settingsDraft([], { database: 'postgres://shop@db/shop' });
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

it('names the relation of each foreign key, or says why it is none', () => {
  const orders = table('orders', {
    foreignKeys: [
      { columns: ['customer_id'], relation: ['customers'], key: ['id'] },
      { columns: ['agent'], relation: ['customers'], key: ['agent'] },
    ],
  });
  const customers = table('customers', { uniqueKeys: [[{ column: 'id' }]] });
  expect(settingsDraft([customers, orders], { database: 'sqlite:shop.db' })).toContain(
    [
      '  orders:',
      '    # relation: customer → customers',
      '    # no relation: agent → customers: no unique index of all rows has exactly the columns of the key, so that one record could lead to several',
      '    attributes:',
    ].join('\n'),
  );
});

it('does not name the change feed of a database that has none', () => {
  expect(settingsDraft([], { database: 'sqlite:/data/shop.db' })).not.toContain('follow');
  expect(settingsDraft([], { database: 'mariadb://shop@db/shop' })).not.toContain('follow');
});

it('proposes database sessions in a comment that is valid settings, where tables have policies', () => {
  const database = 'postgres://shop@db/shop';
  expect(settingsDraft([table('orders', {})], { database })).not.toContain('database_session');
  const draft = settingsDraft([table('orders', { hasPolicies: true })], { database });
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
