import { describe, expect, it } from 'vitest';

import { FIXTURES } from './fixtures/index.ts';
import { ask, open } from './open.ts';

interface BrokenView {
  readonly problem: 'data_error' | 'model_unreadable';
  readonly what: string;
  /**
   * Makes the view `broken` with the columns `id` and `value`; it fails for the second record of
   * `parts`.
   */
  readonly sql: readonly string[];
  /** What happens to it once the engine is open. */
  readonly later?: readonly string[];
  /** What the database itself says. */
  readonly says: RegExp;
}

const PARTS = [
  'create table parts (id integer not null primary key, part integer)',
  'insert into parts values (1, 1), (2, 0)',
];

function view(value: string): string {
  return `create view broken as select id, ${value} as value from parts`;
}

const BROKEN: Readonly<Record<string, readonly BrokenView[]>> = {
  SQLite: [
    {
      problem: 'data_error',
      what: 'overflows',
      sql: [view(`abs(case part when 0 then -9223372036854775807 - 1 end)`)],
      says: /integer overflow/,
    },
    {
      problem: 'data_error',
      what: 'reads malformed JSON',
      sql: [view(`json_extract('{', '$.' || part)`)],
      says: /malformed JSON/,
    },
  ],
  PostgreSQL: [
    {
      problem: 'data_error',
      what: 'divides by zero',
      sql: [view('10 / part')],
      says: /22012: division by zero/,
    },
    {
      problem: 'data_error',
      what: 'overflows',
      sql: [view('9223372036854775807 + 1 - part')],
      says: /22003/,
    },
    {
      problem: 'data_error',
      what: 'converts what is no number',
      sql: [view(`('n' || part)::integer`)],
      says: /22P02/,
    },
    {
      problem: 'data_error',
      what: 'finds two values where it needs one',
      sql: [view('(select p.id from parts p where p.id > parts.part)')],
      says: /21000/,
    },
    {
      problem: 'data_error',
      what: 'raises an error of its own',
      sql: [
        `create function refuse(part integer) returns integer language plpgsql as $$ begin raise exception 'no part'; end $$`,
        view('refuse(part)'),
      ],
      says: /P0001: no part/,
    },
    {
      problem: 'model_unreadable',
      what: 'calls a function that writes',
      sql: [
        `create function note(part integer) returns integer language plpgsql as $$ begin insert into parts values (9, 9); return 1; end $$`,
        view('note(part)'),
      ],
      says: /25006/,
    },
    {
      problem: 'model_unreadable',
      what: 'calls a function that calls one which is gone',
      sql: [
        `create function outer_one(part integer) returns integer language plpgsql as $$ begin return inner_one(part); end $$`,
        view('outer_one(part)'),
      ],
      says: /inner_one/,
    },
    {
      problem: 'model_unreadable',
      what: 'fails as the nodes of a cluster do',
      sql: [
        `create function far(part integer) returns integer language plpgsql as $$ begin raise exception 'no node' using errcode = 'XX000'; end $$`,
        view('far(part)'),
      ],
      says: /XX000: no node/,
    },
    {
      problem: 'model_unreadable',
      what: 'leads to itself',
      sql: [
        view('part'),
        'create view other as select * from broken',
        'create or replace view broken as select * from other',
      ],
      says: /42P17/,
    },
  ],
  MariaDB: [
    {
      problem: 'data_error',
      what: 'overflows',
      sql: [view('9223372036854775807 + 1 - part')],
      says: /1690/,
    },
    {
      problem: 'data_error',
      what: 'finds two values where it needs one',
      sql: [view('(select p.id from parts p where p.id > parts.part)')],
      says: /1242/,
    },
    {
      problem: 'data_error',
      what: 'raises an error of its own',
      sql: [
        `create function refuse(part integer) returns integer begin signal sqlstate '45000' set message_text = 'no part'; return 1; end`,
        view('refuse(part)'),
      ],
      says: /1644: .*no part/,
    },
    {
      problem: 'model_unreadable',
      what: 'calls a function that writes',
      sql: ['create function note(part integer) returns integer return part', view('note(part)')],
      later: [
        'create or replace function note(part integer) returns integer begin insert into parts values (9, 9); return 1; end',
      ],
      says: /1792/,
    },
  ],
};

describe.each(FIXTURES)('a view on $name', (fixture) => {
  it.each(BROKEN[fixture.name] ?? [])(
    'that $what answers with $problem',
    async ({ problem, sql, later = [], says }) => {
      const database = await fixture.create();
      await database.execute([...PARTS, ...sql]);
      const engine = await open(database.url, { models: { broken: { key: ['id'] } } });
      await database.execute(later);
      await expect(
        ask(engine, { model: 'broken', attributes: ['id', 'value'] }),
      ).rejects.toMatchObject({
        code: problem,
        message: expect.stringMatching(says) as string,
      });
      expect((await ask(engine, { model: 'parts', attributes: ['id'] })).records).toEqual(
        [{ id: 1 }, { id: 2 }].map(asWire),
      );
    },
  );

  /** SQLite's integers travel as text. */
  function asWire({ id }: { id: number }): object {
    return { id: fixture.name === 'SQLite' ? String(id) : id };
  }
});
