import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { open } from '../open.ts';
import { usePostgres } from './server.ts';

/**
 * The two players of a team lie in the table as `z, a` and in the index as `a, z`. A page reads the
 * table, because of the notes, and a count the index, which has all that it needs.
 */
const SQL = `
  create table players (team int not null, name text not null, note text not null);
  insert into players
    select n % 3000, case when n < 3000 then 'z' else 'a' end, repeat('x', 500)
    from generate_series(0, 5999) as n;
  create index on players (team, name);
  create function joined(list text, name text) returns text immutable language sql
    as $$ select coalesce(list || ', ', '') || name $$;
  create aggregate together (text) (sfunc = joined, stype = text);
  create view squads as
    select team, string_agg(name, ', ') as names, max(note) as note from players group by team;
  create view rosters as
    select team, together(name) as names, max(note) as note from players group by team;
  create view captains as
    select distinct on (team) team, name as names, note from players;
  create view ranks as
    select team, name || row_number() over (partition by team) as names, note from players;
  create view halves as
    select team, name as names, note from (select * from players limit 3000) as p;
  vacuum analyze players`;

/** By view, names that only one of the two orders brings. */
const NAMES = { squads: 'z, a', rosters: 'z, a', captains: 'z', ranks: 'z1', halves: 'a' };

describe('a reply of a view of PostgreSQL that depends on the order of rows', () => {
  const database = usePostgres(SQL);
  let engine: Engine;
  beforeAll(async () => {
    const models = Object.keys(NAMES).map((view) => [view, { key: ['team'] }]);
    engine = await open(database().url, { models: Object.fromEntries(models) });
  });

  it.each(Object.entries(NAMES))(
    'has a record where its total counts some, whichever order each of them reads: %s',
    async (query_model, value) => {
      const body = {
        query_model,
        query_attributes: ['team', 'names', 'note'],
        query_filter: { attribute: 'names', op: 'eq', value },
        page: { page: 1, size: 1 },
      };
      const { result, page } = await engine.query(body, EVERYTHING);
      const records = JSON.parse(result) as unknown[];
      expect(records).toHaveLength(Math.min(1, Number(page.total)));
    },
  );
});
