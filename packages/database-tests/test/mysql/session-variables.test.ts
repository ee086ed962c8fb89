import type { Engine } from '@proj/engine';
import { beforeAll, expect, it } from 'vitest';

import { RELIED_VARIABLES } from '../../../mysql/src/connection/settings.ts';
import { ask, open } from '../open.ts';
import { COUNTED_TABLE, fillCounted, totalOf } from './counted.ts';
import { describeMariadb, useOwnMariadb } from './mariadb.ts';

/** What an administrator may have given each session, for each variable that we rely on. */
const ODD: Readonly<Record<string, string>> = {
  time_zone: "'+05:45'",
  sql_mode: "'ANSI,NO_BACKSLASH_ESCAPES'",
  autocommit: '0',
  sql_select_limit: '1',
  max_sort_length: '64',
  completion_type: "'CHAIN'",
  group_concat_max_len: '16',
  max_join_size: '5',
  sql_big_selects: '0',
  sql_auto_is_null: '1',
  div_precision_increment: '0',
  old_mode: "'ZERO_DATE_TIME_CAST'",
  max_recursive_iterations: '3',
  system_versioning_asof: "'2001-01-01 00:00:00'",
  wsrep_dirty_reads: '1',
  query_cache_type: '0',
  timestamp: '946684800',
};

const SETS = Object.entries(ODD).map(([name, value]) => `set session ${name} = ${value}`);

const SQL = `${COUNTED_TABLE}; ${fillCounted(2000)};
  create table kept (id int primary key) with system versioning; insert into kept values (1), (2);
  create view words as select 1 as id, group_concat('word ', seq) as joined from seq_1_to_100;
  create view steps as with recursive s as (select 1 as id union all select id + 1 from s where id < 1500) select id from s;
  create view today as select 1 as id, year(now()) > 2020 as is_late;
  create user reader@'%'; grant select on test.* to reader@'%';
  set global init_connect = "${SETS.join('; ')}";`;

const KEYS = ['words', 'steps', 'today'].map((name) => [name, { key: ['id'] }] as const);

describeMariadb('an engine whose sessions MariaDB begins with variables of its own', () => {
  const mariadb = useOwnMariadb({ sql: SQL });
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(mariadb().url.replace('root@', 'reader@'), {
      models: Object.fromEntries(KEYS),
      acceleration: { totalCache: false, replyCache: false },
    });
  });

  it('has an odd value to meet for each variable that it relies on', () => {
    const asked = RELIED_VARIABLES.filter(({ neededOn }) => neededOn !== 'MySQL');
    for (const { name } of asked) expect(ODD).toHaveProperty(name);
  });

  it('shows all rows of tables, in the present', async () => {
    const kept = await ask(engine, { model: 'kept', attributes: ['id'] });
    expect(kept.records).toEqual([{ id: 1 }, { id: 2 }]);
    const { records } = await ask(engine, { model: 'today', attributes: ['is_late'] });
    expect(records).toEqual([{ is_late: 1 }]);
  });

  it('shows texts of views that the server would cut', async () => {
    const { records } = await ask(engine, { model: 'words', attributes: ['joined'] });
    const expected = Array.from({ length: 100 }, (_, index) => `word ${index + 1}`).join(',');
    expect(records).toEqual([{ joined: expected }]);
  });

  it('shows all steps of a recursive view, of which the server would leave some out', async () => {
    const { page } = await ask(engine, { model: 'steps', attributes: ['id'] });
    expect(page.total).toBe('1500');
  });

  it('shows what was written since a page that took a transaction', async () => {
    for (const page of [150, 1, 150, 1]) expect(await totalOf(engine, page)).toBe(2000);
    await mariadb().client(`begin; update counted set amount = 2100;
      insert into counted select seq, 2100 from seq_2001_to_2100; commit`);
    for (const page of [1, 205, 2]) expect(await totalOf(engine, page)).toBe(2100);
  });
});
