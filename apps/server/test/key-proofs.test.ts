import { expect, it, vi } from 'vitest';

import { KeyProofs } from '../src/checks/key-proofs.ts';
import { settingsSchema } from '../src/settings/schema.ts';
import { startService, temporaryDatabase } from './helper.ts';
import { runHere } from './run-here.ts';
import { settingsFile } from './settings-files.ts';

const SQL = `create table orders (id integer primary key, customer text);
  insert into orders values (1, 'a'), (2, 'a');
  create view by_id as select id, customer from orders;
  create view by_customer as select customer from orders;
  create view broken as select json_extract('{' || id, '$.a') as id from orders;`;

it('declared keys are proved one by one: one that repeats is logged and counted, and those after it are proved too', async () => {
  const models = {
    broken: { key: ['id'] },
    by_customer: { key: ['customer'] },
    by_id: { key: ['id'] },
  };
  const { engine } = await startService({ sql: SQL, settings: { models } });
  const log = { error: vi.fn<(fields: object) => void>(), warn: vi.fn<(fields: object) => void>() };
  const proved = vi.spyOn(engine, 'isKey');
  const proofs = new KeyProofs(engine, log);
  await proofs.run(settingsSchema.parse({ database: 'sqlite:', models }));
  expect(proved.mock.calls.map(([{ name }]) => name)).toEqual(['broken', 'by_customer', 'by_id']);
  expect(log.error.mock.calls.map(([fields]) => fields)).toEqual([
    { model: 'by_customer', key: ['customer'] },
  ]);
  expect(log.warn.mock.calls.map(([fields]) => fields)).toEqual([
    { model: 'broken', reason: 'SQLite 1' },
  ]);
  expect(proofs.broken).toBe(1);
  await proofs.run(
    settingsSchema.parse({ database: 'sqlite:', models: { by_id: { key: ['id'] } } }),
  );
  expect(proofs.broken).toBe(0);
});

it('a start with --verify-keys is refused where a declared key is not unique', async () => {
  const { file } = temporaryDatabase(SQL);
  const config = settingsFile(
    [
      `database: sqlite:${file}`,
      'models:',
      '  by_customer: { key: [customer], attributes: all }',
      'port: 0',
    ].join('\n'),
  );
  expect(await runHere(['serve', '--config', config, '--verify-keys'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('key: The columns of the key are not unique together'),
  });
});
