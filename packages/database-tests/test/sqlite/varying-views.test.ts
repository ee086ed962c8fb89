import type { Engine } from '@proj/engine';
import { beforeAll, describe } from 'vitest';

import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { open } from '../open.ts';
import { itReadsVaryingViewsOnce } from '../varying-views.ts';

const BASE = `
  create table numbers (id integer primary key, n int not null, at text not null);
  with recursive r (id) as (select 1 union all select id + 1 from r where id < 1000)
  insert into numbers select id, id % 7, '2026-01-01' from r;
  create view chances as select id, n, random() & 63 as chance from numbers where random() > 0 or id = 500;
  create view above as select id, n, chance from chances;`;

const VARYING = [
  'select id, random() as x from numbers',
  'select id from numbers where at < current_timestamp',
  `select id from numbers where at < datetime('now', '-1 day')`,
  'select id from numbers where at < date()',
  `select id, strftime('%Y') as y from numbers`,
  'select id from chances',
  'select id from numbers where id in (select id from above)',
];

const STEADY = [
  'select id from numbers',
  `select id, date(at) as d, strftime('%Y', at) as y from numbers`,
  'select n, count(*) as id from numbers group by n',
];

describe('a reply of a view of SQLite that asks for chance', () => {
  let engine: Engine;
  beforeAll(async () => {
    const definitions = [...VARYING, ...STEADY];
    const views = definitions.map((sql, index) => `create view v${index} as ${sql};`);
    const names = ['chances', 'above', ...views.map((_, index) => `v${index}`)];
    engine = await open(`sqlite:${databaseFile(BASE + views.join(''))}`, {
      models: {
        ...Object.fromEntries(names.map((name) => [name, { key: ['id'] }])),
        above: { key: ['id'], attributes: { chance: { type: 'int64' } } },
      },
    });
  });

  itReadsVaryingViewsOnce(() => engine, {
    varying: VARYING,
    steady: STEADY,
    id: '500',
    filter: { attribute: 'chance', op: 'lt', value: 16 },
  });
});
