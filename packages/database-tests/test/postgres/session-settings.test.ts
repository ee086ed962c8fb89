import { describe, expect, it, onTestFinished } from 'vitest';

import { ask, open } from '../open.ts';
import { startProxy } from '../proxy.ts';
import { openSource, read, urlOf, usePostgres } from './server.ts';

const SQL = `create table t (id int primary key); insert into t select generate_series(1, 3000);
  create role odd login; alter role odd set datestyle = 'German'; grant select on t to odd;`;

describe('the settings of a session on PostgreSQL', () => {
  const postgres = usePostgres(SQL);
  it('are none of its statements', async () => {
    const before = (await postgres().log()).length;
    const engine = await open(urlOf(postgres(), 'odd'), {
      acceleration: { totalCache: false, replyCache: false },
    });
    const readPage = (page: number): Promise<unknown> =>
      ask(engine, { model: 't', attributes: ['id'], page, size: 3 });
    await readPage(1);
    const beganAt = (await postgres().log()).length;
    for (const page of [1, 2, 1000]) await readPage(page);
    await engine.close();
    const log = await postgres().log();
    const lines = log.slice(before).split('\n');
    const begun = log
      .slice(beganAt)
      .split('\n')
      .filter((line) => line.endsWith('begin isolation level repeatable read read only'));
    expect(begun).toHaveLength(1);
    expect(
      lines.filter((line) => /set_config|(statement|execute \S+|;) *:? *set /i.test(line)),
    ).toEqual([]);
  });

  it('keep the options of the URL, and win over them where replies depend on it', async () => {
    const options = encodeURIComponent('-c search_path=pg_catalog -c datestyle=SQL,DMY');
    const source = await openSource(`${urlOf(postgres(), 'odd')}?options=${options}`);
    const shown = `select current_setting('search_path') || ' ' || current_setting('datestyle'), 1`;
    expect(await read(source, shown)).toBe('pg_catalog ISO, MDY');
  });

  it.each(['none', 'transaction'] as const)(
    'leave out what the server does not know, with pooler: %s',
    async (pooler) => {
      const { port } = new URL(postgres().url);
      const proxy = await startProxy(Number(port), { renamed: ['jit', 'jix'] });
      onTestFinished(() => proxy.close());
      const source = await openSource(`postgres://odd@127.0.0.1:${proxy.port}/postgres`, {
        pooler,
      });
      expect(await read(source, `select current_setting('datestyle'), 1`)).toBe('ISO, MDY');
    },
  );
});
