import { createClient } from '@proj/client';
import { eachNth } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { databaseKinds } from '../support/database.ts';
import { startService, TOKEN } from '../support/service.ts';

interface Models {
  notes: { id: bigint; note: string | null };
}

const KINDS = databaseKinds();

describe.each(eachNth(KINDS.length, KINDS))('facets by the SDK on $name', (kind) => {
  let baseUrl = '';

  beforeAll(async () => {
    const database = await kind.start();
    const { run, close } = await database.connect();
    await run('create table notes (id bigint not null primary key, note varchar(9))');
    for (let id = 1; id <= 12; id++)
      await run('insert into notes values (?, ?)', [id, id % 4 === 0 ? null : `n${id % 3}`]);
    await close();
    const service = await startService({ database: database.url });
    baseUrl = service.origin;
    return async () => {
      await service.stop();
      await database.stop();
    };
  });

  it('have the types of their attributes, and counts as bigints', async () => {
    const client = createClient<Models>({ baseUrl, token: TOKEN, int64: 'bigint' });
    const { facets, total } = await client.facets({
      model: 'notes',
      filter: { attribute: 'id', op: 'lte', value: 10n },
      facets: [
        { attribute: 'note', values: 2, sort: 'value' },
        { attribute: 'id', bins: 3 },
        { attribute: 'id', values: 1, filter: { attribute: 'id', op: 'gt', value: 11n } },
      ],
    });
    const [notes, ids, last] = facets;
    expect(notes.values.map(({ value, count }) => [value, count])).toEqual([
      ['n0', 3n],
      ['n1', 3n],
    ]);
    expect([notes.distinct, notes.nulls, notes.min, notes.max]).toEqual([3n, 2n, 'n0', 'n2']);
    expect(ids.bins).toEqual([
      { from: 1n, to: 4n, count: 3n },
      { from: 4n, to: 7n, count: 3n },
      { from: 7n, to: 10n, count: 4n },
    ]);
    expect([ids.sum, ids.average, ids.others]).toEqual(['55', '5.5', 0n]);
    expect(last.values).toEqual([{ value: 12n, count: 1n }]);
    expect(total).toBe(10n);
  });
});
