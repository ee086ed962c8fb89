import { newPostgresDatabase, type TestDatabase } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { runHere } from './run-here.ts';
import { shell, startServer } from './server-process.ts';

const TOKEN = 'unproven-token';
const ENV = { EXPOSE: 'all', DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN };

/** Who has such a table stores data in another way than PostgreSQL. */
const CHANGED = `
  create table items (id int primary key); insert into items values (7);
  set allow_system_table_mods = on;
  create table pg_catalog.pg_shard_of_table (id int);`;

/** What was found, and what follows from it. */
const WARNING = new RegExp(
  '^warning: The server calls itself PostgreSQL \\d+\\.\\d+.*, but its snapshots are not relied on: ' +
    'its catalogue has tables that no PostgreSQL up to 18 has \\(pg_shard_of_table\\)\\. ' +
    'Each page is read in one statement, .* `follow` and `replicas` have no effect\\.$',
  'gm',
);

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

describe('for a server that is not proven to be a PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await newPostgresDatabase();
    await database.client(CHANGED);
  });

  it('check says which kind of server was found and what follows, and finds no error', async () => {
    const { code, stdout, stderr } = await runHere(['check', '--database', database.url], ENV);
    expect({ code, stderr }).toEqual({ code: undefined, stderr: '' });
    expect(count(stdout, WARNING)).toBe(1);
    expect(stdout).toMatch(/^No errors\. Models: items$/m);
  });

  it('serve says the same once, whichever worker has found it, and answers', async () => {
    const args = ['--database', database.url, '--workers', '2'];
    const { curl, output } = await startServer(args, ENV);
    expect(count(output(), WARNING)).toBe(1);
    const { stdout } = await shell(curl, { DYNAMIC_QUERY_TOKEN: TOKEN });
    expect(JSON.parse(stdout)).toMatchObject({ result: [{ id: 7 }], page: { total: '1' } });
  });
});
