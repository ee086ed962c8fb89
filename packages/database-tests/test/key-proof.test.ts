import { expect, it } from 'vitest';

import { databaseFile } from '../../sqlite/test/database-file.ts';
import { open } from './open.ts';

it('proving a key in the background takes no longer on SQLite than a query may, since nobody can write meanwhile', async () => {
  const endless =
    'with recursive n (i) as (select 1 union all select i + 1 from n) select i from n';
  const file = databaseFile(
    `create table t (id integer primary key); create view numbers as ${endless}`,
  );
  const engine = await open(`sqlite:${file}`, {
    models: { numbers: { key: ['i'] } },
    queryTimeoutMs: 300,
  });
  const model = engine.catalogue.get('numbers');
  if (model === undefined) throw new Error('The view is not served.');
  await expect(engine.isKey(model, { background: true })).rejects.toMatchObject({
    code: 'query_timeout',
  });
});
