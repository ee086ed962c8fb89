import { EVERYTHING } from '@proj/engine';
import { expect, it } from 'vitest';

import { compileQuery } from '../../../engine/src/sql/compile/compile.ts';
import { planQuery } from '../../../engine/src/planning/plan.ts';
import { mysqlDialect } from '../../../mysql/src/dialect.ts';
import { LIMIT, OFFSET } from '../../../engine/src/sql/statement.ts';
import { ask, open } from '../open.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';
import { MAX_REPLY_BYTES } from '../../../engine/src/reply-memory.ts';

describeMariadb('the statements for MariaDB', () => {
  const mariadb =
    useMariadb(`create table cities (id int primary key, name varchar(20) not null, place point, people int);
      insert into cities values (1, 'Bern', point(7, 47), 100), (2, 'Chur', null, null), (3, 'Aarau', null, 50);`);

  it('of a page are one statement with the total, whose order puts NULL where it should be', async () => {
    const engine = await open(mariadb().url);
    const body = {
      query_model: 'cities',
      query_attributes: ['name', 'place'],
      query_sort: [{ attribute: 'people', direction: 'asc' }],
      query_filter: { attribute: 'id', op: 'gt', value: 0 },
      page: { page: 2, size: 2 },
    };
    const planning = planQuery(body, engine.catalogue, EVERYTHING);
    if (!planning.ok) throw new Error('The query has errors.');
    const { atOnce, count } = compileQuery(planning.plan, mysqlDialect, {
      shortPageProof: true,
      readBackwards: true,
      maxReplyBytes: MAX_REPLY_BYTES,
    });
    const from = 'from `cities` as `t` where (`t`.`id` > cast(cast(? as char) as signed))';
    expect(atOnce).toMatchObject({
      sql: `select \`t\`.\`name\` as \`c0\`, st_astext(\`t\`.\`place\`) as \`c1\`, (select count(*) ${from}) as \`n0\` ${from} order by \`t\`.\`people\` is null asc, \`t\`.\`people\` asc, \`t\`.\`id\` asc limit ? offset ?`,
      parameters: ['0', '0', LIMIT, OFFSET],
    });
    expect(count).toMatchObject({ sql: `select count(*) ${from}`, parameters: ['0'] });
    const { result, page } = await engine.query(body, EVERYTHING);
    expect(result).toBe('[{"name":"Chur","place":null}]');
    expect(page.total).toBe('3');
  });

  it('use the key as it is stored, without sorting', async () => {
    const engine = await open(mariadb().url);
    await ask(engine, { model: 'cities', attributes: ['name'] });
    const log = await mariadb().log();
    const statement =
      log.split('\n').findLast((line) => line.includes('Execute') && line.includes('`c0`')) ?? '';
    const plan = await mariadb().client(`explain ${statement.replace(/^.*Execute\s/, '')}`);
    expect(plan.split('\n')[0]).toMatch(/\tindex\t.*\tPRIMARY\t/);
    expect(plan).not.toMatch(/filesort|temporary/);
  });

  it('are prepared once for each shape and connection', async () => {
    const engine = await open(mariadb().url);
    for (let page = 1; page <= 5; page++)
      await ask(engine, { model: 'cities', attributes: ['id', 'name'], page, size: 1 });
    const prepared = (await mariadb().log())
      .split('\n')
      .filter((line) => line.includes('Prepare') && line.includes('`id` as `c0`, `t`.`name`'))
      .map((line) => line.replace(/^.*Prepare\s/, ''));
    expect(prepared.length).toBeGreaterThan(0);
    expect(prepared).toEqual([...new Set(prepared)]);
  });

  it('distinguish keys that begin with the same thousand bytes', async () => {
    await mariadb()
      .client(`create table long_keys (id varchar(760) primary key, same int not null) collate utf8mb4_unicode_ci;
      insert into long_keys select concat(repeat('a', 700), lpad(mod(seq * 7919, 10007), 10, '0')), 1 from seq_1_to_3000`);
    const engine = await open(mariadb().url);
    const pages = [1, 2, 3].map(async (page) => {
      const query_sort = [{ attribute: 'same' }];
      const body = {
        query_model: 'long_keys',
        query_attributes: ['id'],
        query_sort,
        page: { page, size: 1000 },
      };
      const { result } = await engine.query(body, EVERYTHING);
      return (JSON.parse(result) as { id: string }[]).map(({ id }) => id);
    });
    const keys = (await Promise.all(pages)).flat();
    expect(keys).toEqual([...new Set(keys)].toSorted());
    expect(keys).toHaveLength(3000);
  });
});
