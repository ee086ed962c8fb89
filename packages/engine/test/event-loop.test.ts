import { monitorEventLoopDelay } from 'node:perf_hooks';

import { describe, expect, it } from 'vitest';

import { databaseFile } from './database-file.ts';
import { ask, open } from './open.ts';
import { outcome } from './outcome.ts';

const DEADLINE_MS = 1500;

describe('the event loop', () => {
  it('goes on while SQLite counts to 10^8, until the deadline', async () => {
    const numbers = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 100000000) select i from n';
    const path = databaseFile(
      `create view numbers as ${numbers}; create table t (id integer primary key); insert into t values (1)`,
    );
    const engine = await open(`sqlite:${path}`, { queryTimeoutMs: DEADLINE_MS, models: { numbers: { key: ['i'] } } });
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const slow = outcome(ask(engine, { model: 'numbers', attributes: ['i'] }));
    const quick = await ask(engine, { model: 't', attributes: ['id'] });
    expect(quick.elements).toEqual([{ id: '1' }]);
    expect(await slow).toBe('query_timeout');
    delay.disable();
    // Inside this process the statement would have held the loop for the whole of the deadline.
    expect(delay.max / 1e6).toBeLessThan(DEADLINE_MS / 2);
    expect((await ask(engine, { model: 't', attributes: ['id'] })).elements).toHaveLength(1);
  });
});
