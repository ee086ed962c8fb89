import { EVERYTHING } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { databaseFile } from '../../sqlite/test/database-file.ts';
import { ask, bodyOf, open } from './open.ts';
import { outcome } from './outcome.ts';

describe('the event loop', () => {
  it('goes on while SQLite counts without end, until the caller leaves', async () => {
    const numbers =
      'with recursive n (i) as (select 1 union all select i + 1 from n) select i from n';
    const path = databaseFile(
      `create view numbers as ${numbers}; create table t (id integer primary key); insert into t values (1)`,
    );
    const engine = await open(`sqlite:${path}`, {
      processes: 1,
      models: { numbers: { key: ['i'] } },
    });
    const leaver = new AbortController();
    const body = bodyOf({ model: 'numbers', attributes: ['i'] });
    const slow = outcome(engine.query(body, EVERYTHING, { signal: leaver.signal }));
    // Inside this process the statement would hold the loop for ever.
    expect((await ask(engine, { model: 't', attributes: ['id'] })).records).toEqual([{ id: '1' }]);
    leaver.abort();
    expect(await slow).toBe('cancelled');
    expect((await ask(engine, { model: 't', attributes: ['id'] })).records).toHaveLength(1);
  });
});
