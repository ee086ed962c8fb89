import { Grant } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { open } from '../../open.ts';
import { urlOf, usePostgres } from '../server.ts';

/** More than are fetched at once, and than are written at once. */
const ROWS = 5000;

/** Two levels of as many rows each, of which a function that policies call shows one. */
const SQL = `
create role login login noinherit;
create role tenant nologin;
create role clerk nologin;
grant tenant to login;
create function grade() returns int stable language plpgsql as $$ begin return 1; end $$;
create table graded (id int primary key, level int not null, note text not null);
insert into graded select i, 1 + i % 2, repeat('x', 100) from generate_series(1, ${2 * ROWS}) as i;
alter table graded enable row level security;
create policy graded on graded to tenant using (level = grade());
grant select on graded to tenant;`;

const SESSION = { role: 'tenant', settings: [], trusts: ['grade()'] };
const GRANT = new Grant('all', { ...SESSION, settings: {} });

const QUESTION = { model: 'graded', attributes: ['id', 'note'] };

/** What is changed that policies depend on, and after how many records. */
const CHANGES = [
  {
    when: 'before the first record',
    change: 'create or replace function grade() returns int stable language sql return 2',
    isNow: (records: number) => records === 0,
  },
  {
    when: 'on the way',
    change: 'create or replace function grade() returns int stable language sql return 1',
    isNow: (records: number) => records > 0 && records < ROWS,
  },
  {
    when: 'on the way',
    change: 'grant clerk to tenant',
    isNow: (records: number) => records > 0 && records < ROWS,
  },
];

describe('an export as a caller', () => {
  const postgres = usePostgres(SQL);

  it.each(CHANGES)(
    'breaks off by name where this happens $when: $change',
    async ({ change, isNow }) => {
      const engine = await open(urlOf(postgres(), 'login'), { sessions: [SESSION] });
      expect((await exported(engine, QUESTION, { grant: GRANT })).records).toHaveLength(ROWS);
      const onProgress = async (records: number): Promise<void> => {
        if (isNow(records)) await postgres().client(change);
      };
      await expect(exported(engine, QUESTION, { grant: GRANT, onProgress })).rejects.toMatchObject({
        code: 'database_unavailable',
        message: expect.stringContaining(
          'A function, a membership or the place of a table was changed meanwhile',
        ),
      });
    },
  );
});
