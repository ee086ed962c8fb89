import { reactAdminProvider } from '@proj/grids/react-admin';
import { describe, expect, it } from 'vitest';

import { clientOfApp } from './client-of-app.ts';
import { SQLITE } from './item-databases.ts';

const VALUES = ["'abc'", "x'616264'", "'7'", '7', '9007199254740993', '1.5', "'1.5'", "x''", "''"];

const SQL = `
  create table mixed (id primary key not null) without rowid;
  insert into mixed values ${VALUES.map((value) => `(${value})`).join(', ')};
  create table bytes (id blob primary key not null) without rowid;
  insert into bytes values ('abc'), (x'616264'), ('ü'), (8), (9007199254740993), (1.5), (1e300);
  create table texts (id text primary key not null) without rowid;
  insert into texts values ('abc'), (x'616264'), (7), (1.5), (x''), (x'ff00');
  create table documents (id text primary key not null) without rowid;
  insert into documents values ('{}'), ('{"a":1}'), ('{"a":2}'), ('[1]'), ('"x"'), ('7');`;

describe('records by their keys, in react-admin over SQLite', () => {
  it.each(['mixed', 'bytes', 'texts'])(
    'are all found by their ids where a key is of several types of values: %s',
    async (model) => {
      const { provider } = await provided();
      const { data } = await provider.getList<{ id: string }>(model, {});
      const ids = data.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect((await provider.getMany(model, { ids })).data).toEqual(data);
    },
  );

  it('have ids of their own where a key is JSON, by which none is found in silence', async () => {
    const { provider } = await provided();
    const { data } = await provider.getList<{ id: string }>('documents', {});
    const ids = data.map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
    await expect(provider.getMany('documents', { ids })).rejects.toThrow('id is json');
  });
});

async function provided() {
  const database = await SQLITE.create();
  await database.run(SQL);
  const models = { documents: { attributes: { id: { type: 'json' } } } } as const;
  return { provider: reactAdminProvider(await clientOfApp({ database: database.url, models })) };
}
