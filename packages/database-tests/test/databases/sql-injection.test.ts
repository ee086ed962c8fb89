import { type Engine, EVERYTHING, InvalidQueryError } from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Fixture, FixtureDatabase } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { askFacets } from './checked-facets.ts';
import { bodyOf, type Request } from './everywhere.ts';
import { NAUGHTY_STRINGS } from './naughty-strings.ts';
import { type LoggedStatements, readGeneralLog, readPostgresLog } from './statement-log.ts';
import { Random } from '../truth/random.ts';
import { createTable, modelSettings, type Table } from './tables.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const TEXTS: Table = {
  name: 'texts',
  columns: { value: 'text' },
  rows: NAUGHTY_STRINGS.map((text) => [text]),
};
const SECRETS: Table = { name: 'secrets', columns: { secret: 'text' }, rows: [['never shown']] };

/** Those that are asked for: each is stored, and found where it should be. */
const SOUGHT = beforeRelease
  ? NAUGHTY_STRINGS
  : new Random(SEED).shuffle(NAUGHTY_STRINGS).slice(0, 12);

/** What a server logs. */
interface Logging {
  read(log: string): LoggedStatements;
  /** What the engine may ask. */
  readonly shapes: readonly RegExp[];
}

/** The line of the log before the first statement of an engine. */
const MARK = 'here the tests begin';

/** The names of the catalogue, and those that the engine itself gives. */
const IDENTIFIERS = new Set([
  'texts',
  'id',
  'value',
  'public',
  't',
  'p',
  'r',
  'b',
  'n',
  'json',
  'rows',
  'version',
  'n0',
  // Those of facets: their groups, and the columns of these.
  'g0',
  'g1',
  'v0',
  'a0',
  'a1',
  'f',
  'fits',
  ...Array.from({ length: 6 }, (_, place) => `j${place}`),
  'k',
  's',
  ...Array.from({ length: 15 }, (_, place) => `c${place}`),
  ...Array.from({ length: 4 }, (_, place) => `k${place}`),
]);

/** What the engine may ask MariaDB and MySQL alike. */
const SHAPES: readonly RegExp[] = [
  /^select version\(\), connection_id\(\)$/,
  /^set (?:names|session|wsrep_dirty_reads|query_cache_type|timestamp) [^;`]*$/,
  /^select database\(\)$/,
  /^select [a-z_, ]+ from information_schema\.[^;`]*$/,
  /^select \( select group_concat\(variable_name, \?, variable_value order by variable_name\) from (?:information|performance)_schema\.[^;`]*$/,
  /^(?:start transaction|commit|rollback)$/,
  /^select count\(\*\) from information_schema\.tables t [^;`]*$/,
  /^select `t`\.`\w+` as `c0`, \(select count\(\*\) from `texts` as `t`[^;]*\) as `n0` from `texts` as `t`[^;]* order by `t`\.`id` asc limit \? offset \?$/,
  /^\(select \? as `c0`, [^;]* from `texts` as `t` where \(\(`t`\.`value` in \(\?\) [^;]*\)$/,
  /^with recursive `g0` as \([^;]* from `texts` as `t` where \(\(`t`\.`value` in \(\?\) [^;]*\)$/,
];

const LOGGING: Readonly<Record<string, Logging>> = {
  PostgreSQL: {
    read: readPostgresLog,
    shapes: [
      /^select \?$/,
      /^select inet_client_port\(\)::text$/,
      /^select to_regclass\(\?\) is not null$/,
      /^select pg_backend_pid\(\)::text, current_setting\(\?, true\)(?:, \(select reset_val from pg_catalog\.pg_settings where name = \?\)){2}$/,
      /^select version\(\), \( select string_agg\(c\.relname::text, \? [^;"]* from pg_catalog\.pg_class c [^;"]*$/,
      /^select pg_backend_pid\(\)::text, pg_postmaster_start_time\(\)::text, pg_current_snapshot\(\)::text(?: from pg_catalog\.pg_class where oid = \? and age\(xmin\) >= \?| where \? = \?)?$/,
      /^with recursive [^;"]* from pg_class [^;"]*$/,
      /^select case when pg_snapshot_xmin\(.*\) then concat_ws\(\?, .*, pg_current_snapshot\(\)\) end$/,
      /^with pure \(id\) as \(\s*select oid\s+from pg_proc\s/,
      /^select case when octet_length\("json"\) <= \? [^;]* from "public"\."texts" as "t"[^;]* limit \? offset \?\)( as "r"\))? as "p"\) as "b"$/,
      /^select "r"\.\*, case when [^;]*\(select count\(\*\) from "public"\."texts" as "t"[^;]*\) end from \(select [^;]* from "public"\."texts" as "t"[^;]* limit \? offset \?\) as "p"\) as "b"\) as "r"$/,
      /^(?:begin isolation level repeatable read read only|commit|rollback)$/,
      /^lock table "public"\."texts" in access share mode$/,
      /^(?:with "g0" as materialized \([^;]* from "public"\."texts" as "t" where \("t"\."value" = \?\) group by \?\) select \* from \()?select case when "fits" then "j0" end[^;]* from "public"\."texts" as "t" where \("t"\."value" = \?\)[^;]* limit \?\) as "r"\) as "f"(?:\) as "s")?$/,
    ],
  },
  MariaDB: {
    read: readGeneralLog,
    shapes: [
      ...SHAPES,
      /^select @@session\.max_statement_time$/,
      /^begin not atomic declare began [^;]*; (?:start transaction with consistent snapshot; )?show engine innodb status; select timestampdiff\([^;]*\);(?: commit;)? end$/,
    ],
  },
  MySQL: {
    read: readGeneralLog,
    shapes: [
      ...SHAPES,
      /^set [a-z_]+ = \?$/,
      /^select @@session\.max_execution_time \/ \?$/,
      /^show engine innodb status$/,
    ],
  },
};

/** What each operator finds. */
const VALUES: Readonly<Record<string, (stored: string, text: string) => boolean>> = {
  eq: (stored, text) => stored === text,
  in: (stored, text) => stored === text,
  contains: (stored, text) => stored.includes(text),
  starts_with: (stored, text) => stored.startsWith(text),
  ends_with: (stored, text) => stored.endsWith(text),
};

function openTexts(fixture: Fixture, { url }: FixtureDatabase): Promise<Engine> {
  const models = { texts: { attributes: 'all' as const }, ...modelSettings(fixture, [TEXTS]) };
  return open(url, { expose: 'listed', models });
}

describe.each(FIXTURES)(`naughty strings on $name (seed ${SEED})`, (fixture: Fixture) => {
  const logging = LOGGING[fixture.name];
  let database: FixtureDatabase;
  let engine: Engine;

  beforeAll(async () => {
    database = await fixture.create();
    for (const table of [TEXTS, SECRETS]) await createTable(fixture, database, table);
    await database.client(`select '${MARK}';`);
    engine = await openTexts(fixture, database);
  });

  async function ids(request: Request): Promise<number[]> {
    const { result, page } = await engine.query(bodyOf({ size: 1000, ...request }), EVERYTHING);
    const found = (JSON.parse(result) as { id: number }[]).map(({ id }) => id);
    expect(page.total).toBe(String(found.length));
    return found;
  }

  it('as values of filters leave the facets of the rows that match', async () => {
    const facets = [
      { attribute: 'value', values: 5 },
      { attribute: 'id', bins: 3 },
    ];
    await abreast(SOUGHT, async (text) => {
      const filter = { attribute: 'value', op: 'eq', value: text };
      const { total, facets: found } = await askFacets(engine, { model: 'texts', facets, filter });
      const count = String(NAUGHTY_STRINGS.filter((stored) => stored === text).length);
      expect(total).toBe(count);
      expect(found[0]?.values).toEqual([{ value: text, count }]);
    });
  });

  it.each(Object.keys(VALUES))(
    'as values of %s find the rows that match, and no others',
    async (op) => {
      const matches = VALUES[op] ?? (() => false);
      await abreast(SOUGHT, async (text) => {
        const filter = { attribute: 'value', op, value: op === 'in' ? [text, text] : text };
        const expected = NAUGHTY_STRINGS.flatMap((stored, index) =>
          matches(stored, text) ? [index + 1] : [],
        );
        expect(await ids({ model: 'texts', filter }), `for ${JSON.stringify(text)}`).toEqual(
          expected,
        );
      });
    },
  );

  it('as values of icontains find the rows that hold them at least', async () => {
    await abreast(SOUGHT, async (text) => {
      const found = await ids({
        model: 'texts',
        filter: { attribute: 'value', op: 'icontains', value: text },
      });
      const expected = NAUGHTY_STRINGS.flatMap((stored, index) =>
        stored.includes(text) ? [index + 1] : [],
      );
      expect(found, `for ${JSON.stringify(text)}`).toEqual(expect.arrayContaining(expected));
    });
  });

  it('as a list of values find every row, and their absence none', async () => {
    const everything = { attribute: 'value', op: 'in', value: NAUGHTY_STRINGS };
    expect(await ids({ model: 'texts', filter: everything })).toHaveLength(NAUGHTY_STRINGS.length);
    expect(await ids({ model: 'texts', filter: { not: everything } })).toEqual([]);
    expect(await ids({ model: 'texts', filter: { ...everything, op: 'not_in' } })).toEqual([]);
  });

  it('travel as they are stored', async () => {
    const { result } = await engine.query(
      bodyOf({ model: 'texts', attributes: ['value'], size: 1000 }),
      EVERYTHING,
    );
    expect(result).toBe(JSON.stringify(NAUGHTY_STRINGS.map((value) => ({ value }))));
  });

  it.runIf(logging)(
    'leave known statements in the server’s log, with names of the catalogue (SQLite keeps no log)',
    async () => {
      await ids({
        model: 'texts',
        filter: { attribute: 'value', op: 'eq', value: `'; drop table texts; --` },
      });
      const log = (await database.log?.()) ?? '';
      const { shapes, identifiers } = logging?.read(log.slice(log.lastIndexOf(MARK))) ?? {
        shapes: [],
        identifiers: [],
      };
      const known = (shape: string): boolean =>
        logging?.shapes.some((pattern) => pattern.test(shape)) ?? false;
      expect([...shapes].filter((shape) => !known(shape))).toEqual([]);
      expect([...identifiers].filter((name) => !IDENTIFIERS.has(name))).toEqual([]);
      // One for each operator, and few more: no value has made another.
      expect([...shapes].filter((shape) => shape.includes('texts')).length).toBeLessThan(20);
      expect(identifiers).toContain('value');
    },
  );

  it('leave the tables as they were', async () => {
    const count = await database.client('select count(*) from texts;\nselect secret from secrets;');
    expect(count).toBe(`${NAUGHTY_STRINGS.length}\nnever shown`);
    await expect(ids({ model: 'secrets' })).rejects.toThrow(InvalidQueryError);
  });
});

/** Does something with each of many texts, some at a time. */
async function abreast(
  texts: readonly string[],
  work: (text: string) => Promise<void>,
): Promise<void> {
  const left = texts[Symbol.iterator]();
  const workers = Array.from({ length: 8 }, async () => {
    for (const text of left) await work(text);
  });
  await Promise.all(workers);
}
