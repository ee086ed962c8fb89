import { performance } from 'node:perf_hooks';

import { type Engine, EVERYTHING, InvalidQueryError } from '@proj/engine';
import { expect, it } from 'vitest';

import { open } from '../open.ts';
import { CHECKED_MEMORY, describeMariadb, useOwnMariadb } from './mariadb.ts';

/** How long requests are sent. */
const SECONDS = Number(process.env['LONG_TEXTS_SECONDS'] ?? 60);

const LENGTHS = [0, 10, 4000, 8190, 8193, 9000, 20_000, 70_000, 200_000];
const TYPES = ['longtext', 'mediumtext', 'text', 'varchar(16000)'];
const OPERATORS = ['eq', 'ne', 'lt', 'gte', 'contains', 'starts_with', 'iends_with', 'is_distinct'];

function below(limit: number): number {
  return Math.floor(Math.random() * limit);
}

function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[below(items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}

function someText(): string {
  return `v${below(20)}`.padEnd(oneOf(LENGTHS.slice(0, -2)), 'aé😀 '[below(2)]);
}

function someFilter(): unknown {
  const parts = Array.from({ length: 1 + below(3) }, () =>
    below(3) === 0
      ? { attribute: 'id', op: 'lt', value: below(150) }
      : { attribute: oneOf(['a', 'b']), op: oneOf(OPERATORS), value: someText() },
  );
  return { and: parts };
}

function someFacet(): unknown {
  const filter = below(3) > 0 ? { query_filter: someFilter() } : {};
  if (below(6) === 0) return { attribute: 'id', bins: 1 + below(9), ...filter };
  const sort = oneOf(['count', 'value']);
  return { attribute: oneOf(['a', 'b']), values: 1 + below(50), sort, ...filter };
}

function rowsOf(type: string): string {
  const longest = type === 'varchar(16000)' ? 16_000 : type === 'text' ? 60_000 : Infinity;
  const text = (id: number): string => {
    const length = Math.min(longest, oneOf(LENGTHS)) + below(50);
    return id % 7 === 0 ? 'null' : `concat('v${id % 20}', repeat('${'abcd'[id % 4]}', ${length}))`;
  };
  return Array.from({ length: 150 }, (_, id) => `(${id}, ${text(id)}, ${text(id + 1)})`).join();
}

const SQL = TYPES.flatMap((type, place) => {
  const table = type === 'varchar(16000)' ? `a ${type}, b varchar(300)` : `a ${type}, b ${type}`;
  const engines = place === 0 ? ['innodb', 'myisam'] : ['innodb'];
  return engines.map((engine) => {
    const name = `essays_${place}_${engine}`;
    const create = `create table ${name} (id int primary key, ${table}) engine=${engine}`;
    const rows = rowsOf(type);
    return `${create}; insert ignore into ${name} values ${rows};`;
  });
});

const MODELS = SQL.map((sql) => /create table (\w+)/.exec(sql)?.[1] ?? '');

/** Whether a filter leaves out the record whose page was asked for. */
function isNotInList(error: unknown): boolean {
  return error instanceof InvalidQueryError && error.errors[0]?.code === 'record_not_in_list';
}

async function request(engine: Engine): Promise<void> {
  const common = below(2) === 0 ? {} : { query_filter: someFilter() };
  const query_model = oneOf(MODELS);
  if (below(4) === 0) {
    const page = { size: 1 + below(20), containing: { id: below(150) } };
    const query_attributes = ['id', 'a', 'b'];
    await engine.query({ query_model, query_attributes, page, ...common }, EVERYTHING);
    return;
  }
  const query_facets = Array.from({ length: 1 + below(3) }, someFacet);
  await engine.facets({ query_model, query_facets, ...common }, EVERYTHING);
}

describeMariadb('random requests for long texts on MariaDB', () => {
  const mariadb = useOwnMariadb({ ...CHECKED_MEMORY, sql: SQL.join('\n') });

  it(
    'do not end the server',
    async () => {
      await mariadb().client('set global general_log = 0');
      const engine = await open(mariadb().url, { queryTimeoutMs: 60_000 });
      const end = performance.now() + SECONDS * 1000;
      const errors: unknown[] = [];
      let answered = 0;
      const caller = async (): Promise<void> => {
        while (performance.now() < end && errors.length === 0)
          await request(engine).then(
            () => (answered += 1),
            (error: unknown) => {
              if (!isNotInList(error)) errors.push(error);
            },
          );
      };
      await Promise.all([caller(), caller()]);
      expect(errors).toEqual([]);
      expect(answered).toBeGreaterThan(0);
      expect(await mariadb().client('select 1')).toBe('1');
      console.log(`${answered} requests were answered.`);
    },
    (SECONDS + 120) * 1000,
  );
});
