import { expect, it } from 'vitest';

import { openOver, pageOf } from './opened.ts';

it.each(['struct(id int, held int)', 'json', 'int'])(
  'records are found by those that refer to them, which have a column named as a row within: %s',
  async (type) => {
    const engine = await openOver([
      'create table held (id int primary key)',
      'insert into held values (1), (2)',
      `create table kind (id int primary key, t ${type}, j0 ${type}, name text)`,
      `insert into kind values (1, null, null, 'new')`,
      `create table holding (id int primary key, held int references held (id),
        kind int references kind (id), t ${type}, j0 ${type})`,
      'insert into holding values (1, 1, 1, null, null), (2, 1, 1, null, null)',
    ]);
    const found = async (query_filter: object) =>
      pageOf(engine, { query_model: 'held', query_attributes: ['id'], query_filter });
    const some = { attribute: 'id', op: 'gt', value: '1' };
    const someKind = { attribute: 'kind.name', op: 'eq', value: 'new' };
    const expected = { total: '1', records: [{ id: 1 }] };
    await expect(found({ related: 'holding', some })).resolves.toEqual(expected);
    await expect(found({ related: 'holding', some: someKind })).resolves.toEqual(expected);
  },
);
