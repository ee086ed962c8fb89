import type { Engine } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import type { QueryFailedError } from '../../engine/src/errors.ts';
import { fixturesOf } from './fixtures/index.ts';
import { ask, open } from './open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

interface BrokenView {
  readonly problem: 'data_error' | 'model_unreadable';
  readonly what: string;
  /**
   * Makes a view with the columns `id` and `value`; it fails for the second record of `parts`.
   */
  readonly sql: (name: string) => readonly string[];
  /** What happens to it once the engine is open. */
  readonly later?: readonly string[];
  /** What the database itself says. */
  readonly says: RegExp;
}

const PARTS = [
  'create table parts (id integer not null primary key, part integer)',
  'insert into parts values (1, 1), (2, 0)',
];

function view(name: string, value: string): string {
  return `create view ${name} as select id, ${value} as value from parts`;
}

const BROKEN: Readonly<Record<string, readonly BrokenView[]>> = {
  SQLite: [
    {
      problem: 'data_error',
      what: 'overflows',
      sql: (name) => [view(name, `abs(case part when 0 then -9223372036854775807 - 1 end)`)],
      says: /integer overflow/,
    },
    {
      problem: 'data_error',
      what: 'reads malformed JSON',
      sql: (name) => [view(name, `json_extract('{', '$.' || part)`)],
      says: /malformed JSON/,
    },
  ],
  PostgreSQL: [
    {
      problem: 'data_error',
      what: 'divides by zero',
      sql: (name) => [view(name, '10 / part')],
      says: /22012: division by zero/,
    },
    {
      problem: 'data_error',
      what: 'overflows',
      sql: (name) => [view(name, '9223372036854775807 + 1 - part')],
      says: /22003/,
    },
    {
      problem: 'data_error',
      what: 'converts what is no number',
      sql: (name) => [view(name, `('n' || part)::integer`)],
      says: /22P02/,
    },
    {
      problem: 'data_error',
      what: 'finds two values where it needs one',
      sql: (name) => [view(name, '(select p.id from parts p where p.id > parts.part)')],
      says: /21000/,
    },
    {
      problem: 'data_error',
      what: 'raises an error of its own',
      sql: (name) => [
        `create function refuse(part integer) returns integer language plpgsql as $$ begin raise exception 'no part'; end $$`,
        view(name, 'refuse(part)'),
      ],
      says: /P0001: no part/,
    },
    {
      problem: 'model_unreadable',
      what: 'calls a function that writes',
      sql: (name) => [
        `create function note(part integer) returns integer language plpgsql as $$ begin insert into parts values (9, 9); return 1; end $$`,
        view(name, 'note(part)'),
      ],
      says: /25006/,
    },
    {
      problem: 'model_unreadable',
      what: 'calls a function that calls one which is gone',
      sql: (name) => [
        `create function outer_one(part integer) returns integer language plpgsql as $$ begin return inner_one(part); end $$`,
        view(name, 'outer_one(part)'),
      ],
      says: /inner_one/,
    },
    {
      problem: 'model_unreadable',
      what: 'fails as the nodes of a cluster do',
      sql: (name) => [
        `create function far(part integer) returns integer language plpgsql as $$ begin raise exception 'no node' using errcode = 'XX000'; end $$`,
        view(name, 'far(part)'),
      ],
      says: /XX000: no node/,
    },
    {
      problem: 'model_unreadable',
      what: 'leads to itself',
      sql: (name) => [
        view(name, 'part'),
        `create view other as select * from ${name}`,
        `create or replace view ${name} as select * from other`,
      ],
      says: /42P17/,
    },
  ],
  DuckDB: [
    {
      problem: 'data_error',
      what: 'overflows',
      sql: (name) => [view(name, '9223372036854775807 + part')],
      says: /Overflow in addition/,
    },
    {
      problem: 'data_error',
      what: 'converts what is no number',
      sql: (name) => [view(name, `('n' || part)::integer`)],
      says: /Could not convert string/,
    },
    {
      problem: 'data_error',
      what: 'finds two values where it needs one',
      sql: (name) => [view(name, '(select p.id from parts p where p.id > parts.part)')],
      says: /More than one row/,
    },
    {
      problem: 'data_error',
      what: 'raises an error of its own',
      sql: (name) => [view(name, `case when part = 0 then error('no part') end`)],
      says: /no part/,
    },
    {
      problem: 'model_unreadable',
      what: 'reads a file',
      sql: (name) => [
        view(name, 'part'),
        `create or replace view ${name} as select 1 as id, content as value from read_text('/etc/hostname')`,
      ],
      says: /disabled by configuration/,
    },
  ],
  MariaDB: [
    {
      problem: 'data_error',
      what: 'overflows',
      sql: (name) => [view(name, '9223372036854775807 + 1 - part')],
      says: /1690/,
    },
    {
      problem: 'data_error',
      what: 'finds two values where it needs one',
      sql: (name) => [view(name, '(select p.id from parts p where p.id > parts.part)')],
      says: /1242/,
    },
    {
      problem: 'data_error',
      what: 'raises an error of its own',
      sql: (name) => [
        `create function refuse(part integer) returns integer begin signal sqlstate '45000' set message_text = 'no part'; return 1; end`,
        view(name, 'refuse(part)'),
      ],
      says: /1644: .*no part/,
    },
    {
      problem: 'model_unreadable',
      what: 'calls a function that writes',
      sql: (name) => [
        'create function note(part integer) returns integer return part',
        view(name, 'note(part)'),
      ],
      later: [
        'drop function note',
        'create function note(part integer) returns integer begin insert into parts values (9, 9); return 1; end',
      ],
      says: /1792/,
    },
  ],
};

describe.each(FIXTURES)('a view on $name', (fixture) => {
  const views = (BROKEN[fixture.family] ?? []).map((broken, index) => ({
    ...broken,
    name: `broken_${index}`,
  }));
  let engine: Engine;
  beforeAll(async () => {
    const database = await fixture.create();
    await database.execute([...PARTS, ...views.flatMap(({ name, sql }) => sql(name))]);
    const models = Object.fromEntries(views.map(({ name }) => [name, { key: ['id'] }]));
    engine = await open(database.url, { models });
    await database.execute(views.flatMap(({ later = [] }) => later));
  });

  it.each(views)('that $what answers with $problem', async ({ name, problem, says }) => {
    const refused = ask(engine, { model: name, attributes: ['id', 'value'] });
    await expect(refused).rejects.toMatchObject({ code: problem });
    const error: unknown = await refused.catch((reason: unknown) => reason);
    const { message, databaseWords } = error as QueryFailedError;
    expect(`${message}: ${databaseWords}`).toMatch(says);
    expect((await ask(engine, { model: 'parts', attributes: ['id'] })).records).toEqual(
      [{ id: 1 }, { id: 2 }].map(asWire),
    );
  });

  /** SQLite's integers travel as text. */
  function asWire({ id }: { id: number }): object {
    return { id: fixture.family === 'SQLite' ? String(id) : id };
  }
});
