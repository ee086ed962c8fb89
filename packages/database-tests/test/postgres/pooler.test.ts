import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { type Engine, EVERYTHING, SettingsError } from '@proj/engine';
import { beforeRelease, eachNth, type PoolMode, startPgBouncer } from '@proj/test-servers';
import { afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';

import { open } from '../open.ts';
import { outcome } from '../outcome.ts';
import { type Proxy, startProxy } from '../proxy.ts';
import { describePgBouncer } from './pgbouncer.ts';
import { pass, stopTime } from '../stopped-time.ts';
import { connect, ENDLESS, openSource, read, untilRunning, urlOf, usePostgres } from './server.ts';

/**
 * One of every wire type, and rows enough for pages of all kinds. Times without a zone and with
 * one, floats with all digits.
 */
const SQL = `
  create type mood as enum ('happy', 'sad');
  create table typed as select n as id, n::bigint * 1000000007 as big, n / 7::numeric as exact, (n / 7.0)::float8 as double, (n / 7.0)::real as single,
    n % 2 = 0 as truth, 'text ' || n as words, ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid as ident,
    case n % 2 when 0 then 'happy' else 'sad' end::mood as feels, date '2026-01-31' + n as day, time '10:00:00.5' + n * interval '1 second' as clock,
    timestamp '2026-01-31 10:00:00.25' + n * interval '1 day' as local, timestamptz '2026-01-31 10:00:00.25+01' + n * interval '1 day' as instant,
    decode(lpad(to_hex(n), 8, '0'), 'hex') as bin, json_build_object('n', n / 7.0::float8, 'at', timestamptz '2026-01-31 10:00:00+01') as doc,
    array[n / 7.0::float8, null] as many, array[timestamptz '2026-01-31 10:00:00+01'] as instants, n * interval '1 day 02:03:04.5' as span,
    tstzrange('2026-01-31 10:00:00+01', null) as during, (n * 1.5)::numeric::money as cash
    from generate_series(1, 3000) n;
  alter table typed add primary key (id);
  create table notes (id serial primary key, note text);
  create role stranger; create role odd login in role stranger;
  alter role odd set extra_float_digits = 0; alter role odd set intervalstyle = iso_8601; alter role odd set datestyle = 'German';
  alter role odd set timezone = 'Asia/Kathmandu'; alter role odd set bytea_output = escape;
  grant all on all tables in schema public to odd; grant all on all sequences in schema public to odd;`;

const ATTRIBUTES =
  'id big exact double single truth words ident feels day clock local instant bin doc many instants span during cash';

/** What a role's sessions show of what we would set. */
const SHOWN = `select current_setting('default_transaction_read_only'), current_setting('statement_timeout'), current_setting('lock_timeout'),
  current_setting('jit'), current_setting('timezone'), current_setting('datestyle'), current_setting('intervalstyle'),
  current_setting('extra_float_digits'), current_setting('bytea_output')`;

/** What another application has set for itself. */
const LEFT = `select current_user, current_setting('search_path'), current_setting('datestyle')`;

/** So many replies are compared in each mode, and so many callers leave. */
const REPLIES = beforeRelease ? 500 : 70;
const LEAVING = beforeRelease ? 100 : 40;

const FRESH = ['off', '0', '0', 'on', 'Asia/Kathmandu', 'German, DMY', 'iso_8601', '0', 'escape'];

describePgBouncer('an engine behind PgBouncer', () => {
  const postgres = usePostgres(SQL);
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** The URL of a role behind a new PgBouncer that shares so many connections of the server. */
  async function behind(
    mode: PoolMode,
    settings: Record<string, string> = {},
    login = 'odd',
  ): Promise<string> {
    const pooler = await startPgBouncer({
      server: urlOf(postgres(), login),
      mode,
      settings: { default_pool_size: '1', ...settings },
    });
    onTestFinished(() => pooler.stop());
    return pooler.url;
  }

  let direct: unknown[] = [];
  beforeAll(async () => {
    const engine = await open(postgres().url);
    direct = await repliesOf(engine);
    await engine.close();
  });

  it.each([
    ['refuses start-up parameters', {}],
    ['ignores start-up parameters', { ignore_startup_parameters: 'options' }],
  ])(
    'leaves no setting to another application, in transaction mode that %s',
    async (_case, settings) => {
      const before = (await postgres().log()).length;
      const url = await behind('transaction', settings);
      const other = await connect(url);
      const write = async (): Promise<unknown> => {
        await other.query(`insert into notes (note) values ('written')`);
        const { rows } = await other.query<string[]>({ text: SHOWN, rowMode: 'array' });
        return rows[0];
      };
      expect(await write()).toEqual(FRESH);
      const engine = await open(url);
      for (let page = 1; page <= 3; page++) {
        const asked = Promise.all([1, page, 1000].map((number) => ask(engine, number)));
        expect(await write()).toEqual(FRESH);
        await asked;
      }
      await engine.close();
      expect(await write()).toEqual(FRESH);
      expect((await postgres().log()).slice(before).includes('execute dynamic_query_')).toBe(false);
    },
  );

  it('leaves no setting to another application after its process was killed', async () => {
    const url = await behind('transaction', { ignore_startup_parameters: 'options' });
    const program = fileURLToPath(new URL('../programs/reader-of-typed.ts', import.meta.url));
    const child = fork(program, [url]);
    await once(child, 'message');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const other = await connect(url);
    await other.query(`insert into notes (note) values ('written')`);
    const { rows } = await other.query<string[]>({ text: SHOWN, rowMode: 'array' });
    expect(rows[0]).toEqual(FRESH);
  });

  it.each(
    eachNth(2, [
      ['transaction', { default_pool_size: '4' }],
      ['session', { default_pool_size: '20' }],
      ['session', { default_pool_size: '20', ignore_startup_parameters: 'options' }],
      ['transaction', { default_pool_size: '4', ignore_startup_parameters: 'options' }],
    ] as const),
  )(
    'gives the bytes of a direct connection in mixed replies, in %s mode with %j',
    async (mode, settings) => {
      const engine = await open(await behind(mode, settings));
      expect(await repliesOf(engine)).toEqual(direct);
      await engine.close();
    },
  );

  it('shows the same whatever another application has set on the connection that they share', async () => {
    const url = await behind('transaction');
    const other = await connect(url);
    await other.query(
      `set role stranger; set search_path = pg_catalog; set datestyle = German; set xmlbinary = hex`,
    );
    const engine = await open(url);
    const query = { query_model: 'typed', query_attributes: ATTRIBUTES.split(' ') };
    const page = { page: 7, size: 3 };
    const { result } = await engine.query({ ...query, page }, EVERYTHING);
    expect(JSON.parse(result)).toHaveLength(3);
    const { rows } = await other.query<string[]>({ text: LEFT, rowMode: 'array' });
    expect(rows[0]).toEqual(['stranger', 'pg_catalog', 'German, DMY']);
    await other.query('reset role; reset search_path; reset datestyle; reset xmlbinary');
    await engine.close();
  });

  it('shows what its login may see where another application has taken the place of another login', async () => {
    const url = await behind('transaction', {}, 'postgres');
    const other = await connect(url);
    await other.query('set session authorization stranger');
    const engine = await open(url);
    const page = { page: 7, size: 3 };
    const { result } = await engine.query(
      { query_model: 'typed', query_attributes: ['id'], page },
      EVERYTHING,
    );
    expect(JSON.parse(result)).toEqual([{ id: 19 }, { id: 20 }, { id: 21 }]);
    const { rows } = await other.query<string[]>({ text: LEFT, rowMode: 'array' });
    expect(rows[0]?.[0]).toBe('stranger');
    await engine.close();
  });

  it('asks in one round trip, the transaction included', async () => {
    const proxy = await between(await behind('transaction'));
    const source = await openSource(proxy.urlOf('odd'), {
      limits: { connections: 1, maxWaiting: 10, maxWaitMs: 2000 },
    });
    await read(source, `select '1', 1`);
    const before = proxy.turns();
    expect(await read(source, `select '2', 1`)).toBe('2');
    expect(proxy.turns() - before).toBe(1);
  });

  async function between(url: string): Promise<Proxy & { urlOf(user: string): string }> {
    const proxy = await startProxy(Number(new URL(url).port));
    onTestFinished(() => proxy.close());
    return Object.assign(proxy, {
      urlOf: (user: string) => {
        const through = new URL(urlOf(postgres(), user));
        through.port = String(proxy.port);
        return through.href;
      },
    });
  }

  it('stops a query at its time limit or when its caller leaves, and serves on', async () => {
    const source = await openSource(await behind('transaction'), {
      limits: { connections: 1, maxWaiting: 10, maxWaitMs: 2000 },
    });
    stopTime();
    const late = outcome(read(source, ENDLESS, { timeoutMs: 200_000 }));
    await untilRunning(postgres(), 1);
    await pass(200_000);
    expect(await late).toBe('query_timeout');
    vi.useRealTimers();
    await untilRunning(postgres(), 0);
    const controller = new AbortController();
    const asked = outcome(read(source, ENDLESS, { signal: controller.signal }));
    await untilRunning(postgres(), 1);
    controller.abort();
    expect(await asked).toBe('cancelled');
    await untilRunning(postgres(), 0);
    expect(await read(source, `select '7', 1`)).toBe('7');
  });

  it('never stops what another application runs on the same connection of the server', async () => {
    const url = await behind('transaction');
    const source = await openSource(url, {
      limits: { connections: 2, maxWaiting: 1000, maxWaitMs: 2000 },
    });
    const other = await connect(url);
    for (let tries = 0; tries < LEAVING; tries++) {
      const controller = new AbortController();
      const counted = `select count(*)::text, 1 from generate_series(1, ${500 * tries})`;
      const left = outcome(read(source, counted, { signal: controller.signal }));
      const theirs = outcome(other.query('select count(*) from generate_series(1, 5000)'));
      for (let turns = 0; turns < tries % 20; turns++) await turn();
      controller.abort();
      expect(await theirs).toBe('answered');
      expect(await left).toMatch(/^(answered|cancelled)$/);
    }
  });

  it('runs under a limit of the server a second after its own, or that of the administrator', async () => {
    const source = await openSource(await behind('transaction'));
    const limit = `select current_setting('statement_timeout'), 1`;
    // What is left of the time limit counts.
    vi.spyOn(performance, 'now').mockReturnValue(Math.ceil(performance.now()));
    expect(await read(source, limit, { timeoutMs: 3000 })).toBe('4s');
    vi.restoreAllMocks();
    await postgres().client(`alter role odd set statement_timeout = '150ms'`);
    onTestFinished(
      async () => void (await postgres().client('alter role odd reset statement_timeout')),
    );
    const hurried = await openSource(await behind('transaction'));
    expect(await read(hurried, limit, { timeoutMs: 3000 })).toBe('150ms');
    expect(await outcome(read(hurried, ENDLESS))).toBe('query_timeout');
  });

  it.each([{}, { ignore_startup_parameters: 'options' }])(
    'is refused in statement mode with the reason: %j',
    async (settings) => {
      const opening = open(await behind('statement', settings));
      await expect(opening).rejects.toThrow(SettingsError);
      await expect(opening).rejects.toThrow(
        /^database: the pooler is in statement mode, where no page can be read from one snapshot: /,
      );
    },
  );

  it.each([{}, { ignore_startup_parameters: 'options' }])(
    'is refused where the settings deny the pooler: %j',
    async (settings) => {
      const opening = open(await behind('session', settings), { pooler: 'none' });
      await expect(opening).rejects.toThrow(SettingsError);
      await expect(opening).rejects.toThrow(
        /^database: a pooler is before the server, .* Set pooler: transaction, or leave it out\.$/,
      );
    },
  );
});

/** As many replies as are compared, 20 questions at a time. */
async function repliesOf(engine: Engine): Promise<unknown[]> {
  const replies: unknown[] = [];
  const questions = Array.from({ length: REPLIES }, (_, index) => mixed(index)).entries();
  const asker = async (): Promise<void> => {
    for (const [index, body] of questions) {
      const { result, page } = await engine.query(body, EVERYTHING);
      replies[index] = { result, page };
    }
  };
  await Promise.all(Array.from({ length: 20 }, asker));
  return replies;
}

function ask(engine: Engine, page: number): Promise<unknown> {
  return engine.query(
    { query_model: 'typed', query_attributes: ATTRIBUTES.split(' '), page: { page, size: 3 } },
    EVERYTHING,
  );
}

/** Pages from all places, in orders and under filters that touch every type. */
function mixed(index: number): unknown {
  const attributes = ATTRIBUTES.split(' ');
  const sortable = ['id', 'double', 'instant', 'day', 'bin', 'words', 'exact'];
  const filters = [
    undefined,
    { attribute: 'double', op: 'lt', value: 300.1 },
    { attribute: 'instant', op: 'gte', value: '2026-03-01T00:00:00Z' },
    { attribute: 'day', op: 'lt', value: '2030-05-07' },
    { attribute: 'bin', op: 'ne', value: 'AAAAAA==' },
  ];
  const filter = filters[index % filters.length];
  return {
    query_model: 'typed',
    query_attributes: index % 3 === 0 ? attributes : attributes.slice(index % 10, (index % 10) + 5),
    query_sort: [
      { attribute: sortable[index % sortable.length], direction: index % 2 === 0 ? 'asc' : 'desc' },
    ],
    ...(filter && { query_filter: filter }),
    page: { page: 1 + ((index * 37) % 180), size: 1 + (index % 20) },
  };
}
