import { describe, expect, it } from 'vitest';

import { ask, open } from '../open.ts';
import { urlOf, useOwnPostgres } from './server.ts';

const SQL = `create table few (id int primary key); insert into few values (1);
  create table many (id int primary key, note text);
  insert into many select i, md5(i::text) || repeat('x', 200) from generate_series(1, 60000) i;
  create role narrow login; grant select on few, many to narrow;
  alter role narrow set temp_file_limit = 0;`;

describe('the limits of a role of PostgreSQL', () => {
  const postgres = useOwnPostgres({ sql: SQL });

  it('end a query that takes more temporary space, and keep the service from nothing else', async () => {
    const engine = await open(urlOf(postgres(), 'narrow'));
    const attributes = ['id', 'note'];
    const sort = ['note'];
    await expect(
      ask(engine, { model: 'many', attributes, sort, page: 500, size: 100 }),
    ).rejects.toMatchObject({ code: 'query_timeout' });
    expect(await ask(engine, { model: 'few', attributes: ['id'] })).toMatchObject({
      page: { total: '1' },
    });
  });
});
