import { openEngine } from '@proj/engine';
import { postgres } from '@proj/postgres';
import { newPostgresDatabase } from '@proj/test-servers';
import { expect, it } from 'vitest';

import { INVARIANT, recordsAtFirst } from '../src/invariant.ts';
import { READ_KINDS } from '../src/read-kinds.ts';
import { noReads, readByEngine } from '../src/reads.ts';
import { scratchDatabase } from '../src/scratch-database.ts';
import { writeAll } from '../src/writers.ts';

/** A view whose halves are read in transactions of their own, as a cluster without cuts reads. */
const halved = (url: string): string => {
  const half = (rest: number): string =>
    `select * from dblink('${url}', 'select id, amount, pg_sleep(0.002)::text is null
      from scratch where id % 2 = ${rest}') as half (id bigint, amount bigint, waited boolean)`;
  return `create extension dblink;
    create view halves as select id, amount from (${half(0)} union all ${half(1)}) as parts`;
};

const VALUES = recordsAtFirst().map(({ id, amount }) => `(${id}, ${amount})`);

it('pages, exports, facets, groups and pages around a record each show a broken cut', async () => {
  const server = await newPostgresDatabase();
  await server.client(`create table scratch (id bigint primary key, amount bigint not null);
    insert into scratch values ${VALUES.join(', ')}; ${halved(server.url)}`);
  const models = { halves: { attributes: 'all', key: ['id'] } } as const;
  const maxPageSize = 2 * INVARIANT.records;
  const engine = await openEngine({
    kinds: [postgres],
    database: server.url,
    expose: 'listed',
    models,
    queryTimeoutMs: 10_000,
    maxPageSize,
  });
  const database = await scratchDatabase(server.url);
  const writer = await database.open();
  const ending = new AbortController();
  const { signal } = ending;
  const counts = noReads();
  const caught = () =>
    READ_KINDS.filter((kind) => {
      const { contradiction, impossible } = counts[kind].faults;
      return contradiction + impossible > 0;
    });
  const onRead = (): void => {
    if (caught().length === READ_KINDS.length) ending.abort();
  };
  const work = [
    writeAll([writer], {
      table: { quoted: 'scratch' },
      commitsPerSecond: 200,
      signal,
      counts: { commits: 0, refused: 0 },
    }),
    readByEngine(engine, { table: { name: 'halves', quoted: 'halves' }, signal, counts, onRead }),
  ];
  try {
    await Promise.all(work);
    expect(caught()).toEqual(READ_KINDS);
  } finally {
    ending.abort();
    await Promise.allSettled(work);
    await writer.close();
    await engine.close();
  }
});
