import type { Filter } from '@proj/contract';
import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { compileQuery } from '../../../engine/src/sql/compile/compile.ts';
import { planQuery } from '../../../engine/src/planning/plan.ts';
import { postgresDialect } from '../../../postgres/src/dialect.ts';
import type { QueryStatements } from '../../../engine/src/sql/query-statements.ts';
import { bind, type Template } from '../../../engine/src/sql/statement.ts';
import { ask, bodyOf, open } from '../open.ts';
import { outcome } from '../outcome.ts';
import { usePostgres } from './server.ts';
import { MAX_REPLY_BYTES } from '../../../engine/src/reply-memory.ts';

const SQL = `
  set client_encoding = 'UTF8';
  create table cities (id int primary key, name text not null);
  create table big (id bigint primary key, t text collate "C" not null, w text not null);
  insert into big select n, 'text ' || n, 'word ' || n from generate_series(1, 20000) n;
  create index on big (t); create index on big (w); create index on big (lower(w));
  analyze big;
  create table changing (id int primary key, a int, b int, gone text); insert into changing values (1, 5, 6, 'x');`;

describe('the statements for PostgreSQL', () => {
  const postgres = usePostgres(SQL);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(postgres().url);
  });

  function compile(body: unknown): QueryStatements {
    const planning = planQuery(body, engine.catalogue, EVERYTHING);
    if (!planning.ok) throw new Error('The query has errors.');
    return compileQuery(planning.plan, postgresDialect, {
      shortPageProof: true,
      readBackwards: true,
      maxReplyBytes: MAX_REPLY_BYTES,
    });
  }

  /** How the server would run a statement that it has prepared, with these parameters. */
  async function explain(template: Template): Promise<string> {
    const { sql, parameters } = bind(template, { limit: 10, offset: 0 });
    const values = parameters.map((value) =>
      Array.isArray(value) ? `'{"${value.join('","')}"}'` : `'${String(value)}'`,
    );
    return postgres().client(
      `set enable_seqscan = on; prepare s as ${sql}; explain execute s(${values.join(', ')})`,
    );
  }

  it.each([
    ['id', 'eq', '777', /Index.*Scan using big_pkey/],
    ['id', 'between', ['777', '780'], /Index.*Scan using big_pkey/],
    ['t', 'eq', 'text 777', /Scan (using|on) big_t_idx/],
    ['t', 'in', ['text 777', 'text 8'], /Scan (using|on) big_t_idx/],
    ['t', 'starts_with', 'text 777', /Scan (using|on) big_t_idx/],
    ['w', 'eq', 'word 777', /Scan (using|on) big_w_idx/],
    ['w', 'ieq', 'WORD 777', /Scan (using|on) big_lower_idx/],
  ])('find %s %s %j through its index', async (attribute, op, value, plan) => {
    const { count } = compile(filtered('big', { attribute, op, value }));
    const explained = await explain(count);
    expect(explained).toMatch(plan);
    expect(explained).not.toContain('Seq Scan');
  });

  it('read a page through the key, without sorting', async () => {
    const explained = await explain(compile(bodyOf({ model: 'big', attributes: ['t'] })).rows);
    expect(explained).toContain('Index Scan using big_pkey');
    expect(explained).not.toContain('Sort');
  });

  it('are prepared once for each shape and connection', async () => {
    const plain = await open(postgres().url, {
      acceleration: { totalCache: false, replyCache: false },
    });
    for (let page = 1; page <= 5; page++)
      await ask(plain, { model: 'cities', attributes: ['id', 'name'], page, size: 1 });
    const executed = await postgres().log();
    const names =
      executed.match(/execute dynamic_query_\S+: select "r".*string_agg\('\{"id":'.*"cities"/g) ??
      [];
    expect(names).toHaveLength(5);
    expect(new Set(names).size).toBe(1);
  });

  it('of deep pages are planned each time, and leave the plan of the first page alone', async () => {
    for (const page of [1001, 1002])
      await ask(engine, { model: 'big', attributes: ['id', 'w'], page, size: 1 });
    await ask(engine, { model: 'big', attributes: ['id', 'w'], page: 1003, size: 1 });
    const executed = await postgres().log();
    expect(executed.match(/execute (?=.*"id":.*"w":.*"big")\S+/g)).toEqual([
      expect.stringMatching(/^execute dynamic_query_/),
      'execute <unnamed>:',
      'execute <unnamed>:',
    ]);
  });

  it('go on when a column becomes another type between two identical queries', async () => {
    const question = { model: 'changing', attributes: ['a', 'b'] };
    expect((await ask(engine, question)).text).toBe('[{"a":5,"b":6}]');
    await postgres().client('alter table changing alter column a type bigint');
    expect((await ask(engine, question)).text).toBe('[{"a":5,"b":6}]');
    await postgres().client('alter table changing alter column b type numeric(5, 1)');
    expect((await ask(engine, question)).records).toHaveLength(1);
  });

  it('whose column is gone read the schema again once for all of them', async () => {
    const question = { model: 'changing', attributes: ['gone'] };
    expect((await ask(engine, question)).text).toBe('[{"gone":"x"}]');
    await postgres().client('alter table changing drop column gone');
    const reads = await introspections();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => outcome(ask(engine, question))),
    );
    expect(new Set(outcomes)).toEqual(new Set(['model_unavailable']));
    // One more for those that met the change while the schema was being read.
    expect((await introspections()) - reads).toBeLessThanOrEqual(2);
  });

  async function introspections(): Promise<number> {
    return ((await postgres().log()).match(/with recursive domains/g) ?? []).length;
  }

  it('do not ask in each page how its table is defined while nobody writes', async () => {
    let page = 0;
    const asks = async (): Promise<boolean> => {
      page += 1;
      const before = (await postgres().log()).length;
      await ask(engine, { model: 'big', attributes: ['id'], page, size: 5 });
      return (await postgres().log()).slice(before).includes(`'"public"."big"'::regclass`);
    };
    await expect.poll(asks).toBe(false);
  });
});

function filtered(model: string, query_filter: unknown): unknown {
  return {
    query_model: model,
    query_attributes: ['id'],
    query_filter: query_filter as Filter,
    page: { page: 1, size: 10 },
  };
}
