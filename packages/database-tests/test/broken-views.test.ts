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

/** A view that computes a value which cannot be, after other statements if there are any. */
function unreadable(
  what: string,
  value: string,
  { says, before = [], ...others }: Pick<BrokenView, 'says' | 'later'> & { before?: string[] },
): BrokenView {
  const sql = (name: string): string[] => [...before, view(name, value)];
  return { problem: 'model_unreadable', what, sql, says, ...others };
}

function wrong(what: string, value: string, says: RegExp): BrokenView {
  return { ...unreadable(what, value, { says }), problem: 'data_error' };
}

const plpgsql = (name: string, body: string): string =>
  `create function ${name}(part integer) returns integer language plpgsql as $$ begin ${body}; end $$`;

const TWO_VALUES = '(select p.id from parts p where p.id > parts.part)';
const INSERT = 'insert into parts values (9, 9); return 1';

const BROKEN: Readonly<Record<string, readonly BrokenView[]>> = {
  SQLite: [
    wrong(
      'overflows',
      `abs(case part when 0 then -9223372036854775807 - 1 end)`,
      /integer overflow/,
    ),
    wrong('reads malformed JSON', `json_extract('{', '$.' || part)`, /malformed JSON/),
  ],
  PostgreSQL: [
    wrong('divides by zero', '10 / part', /22012: division by zero/),
    wrong('overflows', '9223372036854775807 + 1 - part', /22003/),
    wrong('converts what is no number', `('n' || part)::integer`, /22P02/),
    wrong('finds two values where it needs one', TWO_VALUES, /21000/),
    {
      ...unreadable('raises an error of its own', 'refuse(part)', {
        before: [plpgsql('refuse', `raise exception 'no part'`)],
        says: /P0001: no part/,
      }),
      problem: 'data_error',
    },
    unreadable('calls a function that writes', 'note(part)', {
      before: [plpgsql('note', INSERT)],
      says: /25006/,
    }),
    unreadable('calls a function that calls one which is gone', 'outer_one(part)', {
      before: [plpgsql('outer_one', 'return inner_one(part)')],
      says: /inner_one/,
    }),
    unreadable('fails as the nodes of a cluster do', 'far(part)', {
      before: [plpgsql('far', `raise exception 'no node' using errcode = 'XX000'`)],
      says: /XX000: no node/,
    }),
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
    wrong('overflows', '9223372036854775807 + part', /Overflow in addition/),
    wrong('converts what is no number', `('n' || part)::integer`, /Could not convert string/),
    wrong('finds two values where it needs one', TWO_VALUES, /More than one row/),
    wrong('raises an error of its own', `case when part = 0 then error('no part') end`, /no part/),
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
    wrong('overflows', '9223372036854775807 + 1 - part', /1690/),
    wrong('finds two values where it needs one', TWO_VALUES, /1242/),
    {
      ...unreadable('raises an error of its own', 'refuse(part)', {
        before: [
          `create function refuse(part integer) returns integer begin signal sqlstate '45000' set message_text = 'no part'; return 1; end`,
        ],
        says: /1644: .*no part/,
      }),
      problem: 'data_error',
    },
    unreadable('calls a function that writes', 'note(part)', {
      before: ['create function note(part integer) returns integer return part'],
      later: [
        'drop function note',
        `create function note(part integer) returns integer begin ${INSERT}; end`,
      ],
      says: /1792/,
    }),
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
