import type { Engine } from '@proj/engine';
import { beforeAll, expect, it } from 'vitest';

import { ask, open } from '../open.ts';
import { itReadsVaryingViewsOnce } from '../varying-views.ts';
import { describeMariadb, nameOf, useMariadb } from './mariadb.ts';

const baseOf = (name: string): string => `
  create table numbers (
    id int primary key, n int not null, label enum('z', 'a') not null, day date not null
  );
  insert into numbers select seq, seq % 7, if(seq % 2, 'z', 'a'), '2026-01-01' from seq_1_to_1000;
  create table drawn (id int primary key, luck double as (rand()) virtual);
  create function chance() returns double return rand();
  create function one() returns int deterministic return 1;
  create view chances as
    select id, n, label, day, rand() as luck from numbers where rand() < 0.5 or id = 500;
  create view above as select id, n, label, day, luck from chances;
  create database elsewhere;
  create view elsewhere.chances as select id from ${name}.chances;`;

const VARYING = [
  'select id, uuid() as x from numbers',
  "select id, 1 as `it's`, rand() as `that's` from numbers",
  'select id from numbers where day < sysdate()',
  'select id, chance() as x from numbers',
  'select id from numbers where id in (select id from above)',
  'select n.id from numbers n left join (numbers m join elsewhere.chances c using (id)) using (id)',
  'select id, luck from drawn',
  'select 1 as id, count(*) as x from information_schema.global_status',
];

const STEADY = [
  'select id from numbers',
  'select id, now(6) as x, one() as y, extract(year from day) as z from numbers',
  `select id, 'it''s \\\\' as x, 'rand()' as \`uuid()\` from numbers`,
  'select n, count(*) as id from numbers group by n',
];

describeMariadb('a reply of a view of MariaDB that asks for chance', () => {
  const server = useMariadb(baseOf);
  let engine: Engine;
  beforeAll(async () => {
    const definitions = [...VARYING, ...STEADY];
    const views = definitions.map((sql, index) => `create view v${index} as ${sql};`);
    await server().client(views.join('\n'));
    const names = ['above', 'chances', ...views.map((_, index) => `v${index}`)];
    const models = Object.fromEntries(names.map((name) => [name, { key: ['id'] }]));
    engine = await open(server().url, { models: { ...models, drawn: {} } });
  });

  itReadsVaryingViewsOnce(() => engine, {
    varying: VARYING,
    steady: STEADY,
    id: 500,
    filter: { attribute: 'luck', op: 'lt', value: 0.5 },
  });

  it('has labels in the order of their type, and values as the view has them', async () => {
    const sort = ['label'];
    const { records } = await ask(engine, { model: 'above', attributes: ['label', 'day'], sort });
    expect(records[0]).toMatchObject({ label: 'z', day: '2026-01-01' });
  });

  it('varies where a column of a table is computed by chance when it is read', () => {
    expect(engine.catalogue.get('drawn')?.varies).toBeDefined();
  });

  it('has views of unknown definition whose reasons say what to grant', async () => {
    await server().client(`
      create user reader identified by 'secret';
      grant select on ${nameOf(server())}.* to reader;
      create user shown identified by 'secret';
      grant select, show view on ${nameOf(server())}.* to shown;`);
    const reasonOf = async (user: string) => {
      const models = { chances: { key: ['id'] } };
      const url = server().url.replace('root@', `${user}:secret@`);
      return (await open(url, { models })).catalogue.get('chances');
    };
    expect((await reasonOf('reader'))?.unversioned).toContain('SHOW VIEW');
    const shown = await reasonOf('shown');
    expect(shown?.unversioned).toBeUndefined();
    expect(shown?.varies).toBeDefined();
  });
});
