import { describe, expect, it } from 'vitest';

import { deepPagesOf, onlyEnded } from '../../index-builds.ts';
import { open } from '../../open.ts';
import { urlOf, usePostgres } from '../server.ts';
import { TENANT_SESSIONS, tenantGrant, TENANTS_SQL } from './tenants.ts';

const COLUMNS = {
  number: 'int',
  word: 'text',
  moment: 'timestamptz',
  amount: 'numeric',
  mood: 'mood',
};

const VALUES = `i, 'w' || i, 'epoch'::timestamptz + i * interval '1 s', i * 1.5,
  case when i % 2 = 0 then 'good'::mood else 'bad'::mood end`;

const indexesOf = (model: string, first: string): string =>
  Object.keys(COLUMNS)
    .map((column) => `create index on ${model} (${first}${column}, id);`)
    .join('\n');

const SQL = `${TENANTS_SQL}
do $$ begin execute format('alter database %I set work_mem = ''64kB''', current_database()); end $$;
create type mood as enum ('bad', 'good');
create table policed (
  id int primary key, tenant text not null,
  ${Object.entries(COLUMNS)
    .map(([name, type]) => `${name} ${type} not null`)
    .join(', ')}
);
insert into policed select i, 't' || i % 4, ${VALUES} from generate_series(1, 80000) as i;
${indexesOf('policed', 'tenant, ')}
create table unpoliced as select * from policed where id % 4 = 1;
alter table unpoliced add primary key (id);
${Object.keys(COLUMNS)
  .map((column) => `alter table unpoliced alter ${column} set not null;`)
  .join('\n')}
${indexesOf('unpoliced', '')}
alter table policed enable row level security;
create policy own on policed to tenant using (tenant = current_setting('app.tenant', true));
grant select on policed, unpoliced to tenant;
vacuum analyze;`;

/** No list is sorted at once: each is walked along an index. */
const SETTINGS = {
  ...TENANT_SESSIONS,
  acceleration: { pageIndexMinOffset: 100, replyCache: false },
};

describe('a page index of rows that policies show', () => {
  const postgres = usePostgres(SQL);

  it.each([
    ['number', 'built'],
    ['word', 'built'],
    ['moment', 'built'],
    ['amount', 'refused'],
    ['mood', 'refused'],
  ] as const)(
    'in the order of %s is %s, as indexes are searched by comparisons that show nothing',
    async (attribute, outcome) => {
      const engine = await open(urlOf(postgres(), 'login'), SETTINGS);
      const list = { model: 'policed', sort: [attribute] };
      // Each caller has an index of its own.
      for (const tenant of [1, 2])
        expect(await deepPagesOf(engine, list, tenantGrant(tenant))).toEqual(onlyEnded(outcome));
    },
  );

  it.each(['amount', 'mood'])(
    'is built in the order of %s where no policy hides a row',
    async (attribute) => {
      const engine = await open(urlOf(postgres(), 'login'), SETTINGS);
      const list = { model: 'unpoliced', sort: [attribute] };
      expect(await deepPagesOf(engine, list, tenantGrant(1))).toEqual(onlyEnded('built'));
    },
  );
});
