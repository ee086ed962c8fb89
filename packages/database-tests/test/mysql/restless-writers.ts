import { setImmediate } from 'node:timers/promises';

import { type Connection, createConnection } from 'mysql2/promise';

import { numbersTo } from './mariadb.ts';

/** How many sessions write, each to rows of its own. */
const WRITERS = 6;

/** How many rows come and go for each of them. */
const ROWS = 20;

/** The table that the writers change. */
export const RESTLESS_TABLE = `
  create table restless (id int primary key, n double not null, word varchar(9) not null);
  insert into restless ${numbersTo(ROWS * WRITERS, `n, 0, elt(n % 2 + 1, 'a', 'A')`)}`;

/** What a reader looks at: which rows are there, and what a collation makes of them. */
export const LOOKS = [
  `select count(*), sum(n), sum(crc32(concat(id, ' ', n))) from restless`,
  `select count(*) from restless where word = 'a'`,
] as const;

/** The same by one statement. */
export const ALL_LOOKS = `select * from (${LOOKS.join(') as a cross join (')}) as b`;

/** For how long writers write, and what they wait for in between. */
export interface Writing {
  readonly signal: AbortSignal;
  /** Waits until so many reads have ended. */
  pause(reads: number): Promise<void>;
}

/**
 * Writes to a server from several sessions at once, with savepoints and rollbacks, until the signal
 * aborts.
 */
export async function writeRestlessly(url: string, writing: Writing): Promise<void> {
  await Promise.all(
    Array.from({ length: WRITERS }, (_, writer) => writeAlone(url, writer, writing)),
  );
}

async function writeAlone(url: string, writer: number, writing: Writing): Promise<void> {
  const client = await createConnection(url);
  try {
    await client.query('set session transaction isolation level read committed');
    while (!writing.signal.aborted) {
      await writeOnce(client, writer);
      await writing.pause(Math.floor(Math.random() * 12));
    }
  } finally {
    await client.end();
  }
}

/** Transactions end in another order than they began in; a table may be altered under them. */
async function writeOnce(client: Connection, writer: number): Promise<void> {
  try {
    for (const statement of anyTransaction(writer)) await client.query(statement);
    // Reads may wait for this transaction, so that it waits for none.
    for (let turns = Math.random() ** 3 * 200; turns > 0; turns--) await setImmediate();
    await client.query(Math.random() < 0.2 ? 'rollback' : 'commit');
  } catch {
    await client.query('rollback');
  }
}

function anyTransaction(writer: number): string[] {
  const id = Math.ceil(Math.random() * ROWS) * WRITERS - writer;
  return [
    'begin',
    `delete from restless where id = ${id}`,
    'savepoint a',
    `insert into restless (id, n, word) values (${id}, -1, 'a')`,
    'rollback to a',
    'savepoint b',
    `insert into restless (id, n, word) values (${id}, rand(), elt(floor(rand() * 2) + 1, 'a', 'A'))`,
  ];
}
