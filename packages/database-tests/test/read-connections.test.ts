import { hash } from 'node:crypto';

import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import type { ReadCall, Source } from '../../engine/src/sources/source.ts';
import { openMysql } from '../../mysql/src/source.ts';
import { openPostgres } from '../../postgres/src/source.ts';
import { openSqlite } from '../../sqlite/src/source.ts';
import { StatementCosts } from '../../engine/src/sources/pools/bulkhead-pool.ts';
import { ASKED_READS, type AskedRead, keysOf } from './asked-reads.ts';
import { callOf } from '../../engine/test/call.ts';
import { databaseFile } from '../../sqlite/test/database-file.ts';
import { describeMariadb, useMariadb } from './mysql/mariadb.ts';
import * as mysql from './mysql/slow.ts';
import { outcome } from './outcome.ts';
import * as postgres from './postgres/server.ts';
import { slowSelect, statements } from './statements.ts';
import { pass, stopTime } from './stopped-time.ts';

/** A read waits for a connection for less than this, and may take longer. */
const WAIT_MS = 5000;

const LIMITS = { connections: 1, maxWaiting: 10, maxWaitMs: 500 };

/** A database, and what it is asked, as SQL text: what is slow takes longer than the test. */
interface Case {
  readonly open: () => Source | Promise<Source>;
  readonly readPage: (source: Source, sql: string, call: ReadCall) => Promise<unknown>;
  readonly quickPage: string;
  readonly slowPage: string;
  readonly quickKeys: string;
  readonly slowKeys: string;
}

/** The shape that a read has, when its call has the shape `call`. */
function shapeOf({ cost = 'call' }: AskedRead): string {
  if (typeof cost === 'string') return cost;
  const text = hash('sha256', cost.text, 'base64url').slice(0, 22);
  return cost.depth === 0 ? `facets ${text}` : `${text} ${cost.depth}`;
}

/** How a read ends that finds no connection for as long as it waits for one. */
async function outcomeLate(reading: Promise<unknown>): Promise<string> {
  const late = outcome(reading);
  await pass(WAIT_MS);
  return late;
}

function testConnections({ open, readPage, ...sql }: Case): void {
  let source: Source;
  beforeAll(async () => {
    stopTime();
    source = await open();
    vi.useRealTimers();
    return () => source.close();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  const readKeys = (text: string, call: ReadCall): Promise<unknown> =>
    source.read({ kind: 'keys', asked: keysOf(text) }, call);

  it('reads keys, and estimates sorts, while a caller has taken the only connection for pages', async () => {
    stopTime();
    expect(await outcome(readPage(source, sql.quickPage, callOf()))).toBe('answered');
    const leaving = new AbortController();
    const slow = outcome(readPage(source, sql.slowPage, callOf({ signal: leaving.signal })));
    expect(await outcomeLate(readPage(source, sql.quickPage, callOf()))).toBe('overloaded');
    const keys = await readKeys(sql.quickKeys, callOf());
    expect(keys).toMatchObject({ rows: [['a key']] });
    const read = { kind: 'sort', asked: keysOf(sql.quickKeys) } as const;
    const sort = await source.read(read, callOf());
    expect(sort).toHaveProperty('memoryBytes');
    leaving.abort();
    await slow;
    // What does not stop by itself is stopped a moment later.
    await pass(WAIT_MS);
  });

  it('reads a page while the connection that keys are read on is taken', async () => {
    stopTime();
    expect(await outcome(readKeys(sql.quickKeys, callOf()))).toBe('answered');
    const leaving = new AbortController();
    const slow = outcome(readKeys(sql.slowKeys, callOf({ signal: leaving.signal })));
    expect(await outcomeLate(readKeys(sql.quickKeys, callOf()))).toBe('overloaded');
    expect(await outcome(readPage(source, sql.quickPage, callOf()))).toBe('answered');
    leaving.abort();
    await slow;
    await pass(WAIT_MS);
  });

  it.each(ASKED_READS)(
    'knows what a read costs by its kind, text and depth: $read.kind',
    async (asked) => {
      const looked = vi.spyOn(StatementCosts.prototype, 'isSlow');
      await outcome(source.read(asked.read, callOf({ shape: 'call' })));
      const shapes = looked.mock.calls.map(([shape]) => shape);
      expect(new Set(shapes.filter((shape) => shape !== undefined))).toEqual(
        new Set([shapeOf(asked)]),
      );
    },
  );
}

describe('PostgreSQL', () => {
  const database = postgres.usePostgres('');
  testConnections({
    open: () => openPostgres(database().url, { limits: LIMITS }),
    readPage: postgres.read,
    quickPage: `select '[]', 0`,
    slowPage: postgres.ENDLESS,
    quickKeys: `select '[["a key"]]', null::text`,
    slowKeys: `select '[' || pg_sleep(30) || ']', null::text`,
  });
});

describeMariadb('MariaDB', () => {
  const mariadb = useMariadb(mysql.SLOW_SQL);
  testConnections({
    open: () => openMysql(mariadb().url, LIMITS),
    readPage: mysql.read,
    quickPage: 'select 1, 1',
    slowPage: mysql.ENDLESS,
    quickKeys: `select 'a key'`,
    slowKeys: mysql.ENDLESS,
  });
});

describe('SQLite', () => {
  const slow = slowSelect(1, 10 ** 12);
  const range = { size: 1, offset: 0n };
  testConnections({
    open: () => openSqlite(databaseFile(), { processes: 8 }),
    readPage: (source, rows, call) =>
      source.read(
        { kind: 'page', asked: { query: statements({ rows, count: 'select 1' }), range } },
        call,
      ),
    quickPage: slowSelect(1, 1),
    slowPage: slow,
    quickKeys: `select 'a key'`,
    slowKeys: slow,
  });
});
