import { Grant } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { ask, open } from '../../open.ts';
import { connect, untilLocked, urlOf, usePostgres } from '../server.ts';

/** What policies read: a level, of which callers see the rows. */
const READERS = {
  'a body in quotes': 'language sql as $$ select level from levels $$',
  'PL/pgSQL': 'language plpgsql as $$ begin return (select level from levels); end $$',
  'the rights of its owner':
    'language sql security definer as $$ select level from hidden_levels $$',
  'a body that PostgreSQL has read': 'language sql return (select level from levels)',
};

const MODELS = Object.entries(READERS).map(([how, body], index) => ({
  how,
  body,
  model: `graded_${index}`,
  call: `level_${index}()`,
}));

const SQL = `
create role login login noinherit;
create role tenant nologin;
grant tenant to login;
create table levels (level int not null);
create table hidden_levels (level int not null);
create materialized view seen_levels as select level from levels;
grant select on levels, seen_levels to tenant;
create materialized view gate as select true as open;
grant select on gate to tenant;
${[
  ...MODELS.map(
    ({ model, call, body }) => `create function ${call} returns int stable ${body};
create table ${model} (id int primary key, level int not null);
create policy graded on ${model} to tenant using ((select open from gate) and level = (select ${call}));`,
  ),
  `create table graded_view (id int primary key, level int not null);
create policy graded on graded_view to tenant
  using ((select open from gate) and level = (select level from seen_levels));`,
].join('\n')}
${[...MODELS.map(({ model }) => model), 'graded_view']
  .map(
    (model) => `
insert into ${model} values (1, 1), (2, 2), (3, 2);
alter table ${model} enable row level security;
grant select on ${model} to tenant;`,
  )
  .join('')}`;

const TRUSTS = MODELS.map(({ call }) => call);
const SESSION = { role: 'tenant', settings: [], trusts: TRUSTS };
const GRANT = new Grant('all', { ...SESSION, settings: {} });

/** What takes the level from a table and gives it another one, in one transaction. */
const CHANGES = ['levels', 'hidden_levels'].map(
  (table) => `truncate ${table}; insert into ${table} values (2)`,
);
const CHANGE = `begin; ${CHANGES.join('; ')}; refresh materialized view seen_levels; commit`;
const UNDO = CHANGE.replaceAll('values (2)', 'values (1)');

describe('a caller whose policies read tables that are not locked', () => {
  const postgres = usePostgres(
    `${SQL} insert into levels values (1); insert into hidden_levels values (1);
      refresh materialized view seen_levels`,
  );

  /**
   * Empties and fills what a policy reads, after the snapshot and before the policy reads it: no
   * read may lock a materialized view, so that it waits for this one when the snapshot is taken.
   */
  async function changeMeanwhile<Read>(read: () => Promise<Read>): Promise<Read> {
    await postgres().client(UNDO);
    const gate = await connect(postgres().url);
    await gate.query('begin; alter materialized view gate rename to closed');
    const reading = read();
    await untilLocked(gate);
    await postgres().client(CHANGE);
    await gate.query('rollback');
    return reading;
  }

  it.each([...MODELS, { how: 'a materialized view', model: 'graded_view' }])(
    'sees the rows of one moment where a table is emptied and filled that policies read by $how',
    async ({ model }) => {
      const engine = await open(urlOf(postgres(), 'login'), { sessions: [SESSION] });
      const read = () => ask(engine, { model, attributes: ['id'] }, GRANT);
      const { records, page } = await changeMeanwhile(read);
      expect(records).toEqual([{ id: 2 }, { id: 3 }]);
      expect(page.total).toBe('2');
    },
  );

  it('exports no whole list where a table is emptied and filled that policies read', async () => {
    const engine = await open(urlOf(postgres(), 'login'), { sessions: [SESSION] });
    const read = () => exported(engine, { model: 'graded_0' }, { grant: GRANT });
    await expect(changeMeanwhile(read)).rejects.toMatchObject({ code: 'database_unavailable' });
  });
});
