import { expect, it } from 'vitest';

import { SQLITE } from '../support/database.ts';
import { startService } from '../support/service.ts';
import { startDq } from './dq.ts';

const POLLING = { timeout: 20_000 };

it('prints a line for each change of a list into a pipe as it comes, until Ctrl-C', async () => {
  const database = await SQLITE.start();
  await database.run('create table notes (id bigint not null primary key, kind integer)');
  const settings = 'expose: all\nlimits: { watch_check_ms: 100 }\n';
  const service = await startService({ database: database.url, settings });

  const filter = ['--filter', 'kind = 1', '--every', '100'];
  const { child, ended, output } = startDq(['watch', 'notes', ...filter], service);
  const states = (): unknown[] =>
    output()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  const version = expect.any(String) as string;
  const last = (): unknown => states().at(-1);
  await expect.poll(last, POLLING).toEqual({ total: '0', version });
  await database.run('insert into notes values (1, 1), (2, 2)');
  await expect.poll(last, POLLING).toEqual({ total: '1', version });
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130, stderr: 'dq: interrupted.\n' });
});
