import { describe, expect, it } from 'vitest';

import { databaseFile } from './database-file.ts';
import { ask, open } from './open.ts';
import { outcome } from './outcome.ts';

const DEADLINE_MS = 1500;

describe('the event loop', () => {
  it('goes on while SQLite counts to 10^8, until the deadline', async () => {
    const numbers =
      'with recursive n (i) as (select 1 union all select i + 1 from n where i < 100000000) select i from n';
    const path = databaseFile(
      `create view numbers as ${numbers}; create table t (id integer primary key); insert into t values (1)`,
    );
    const engine = await open(`sqlite:${path}`, {
      queryTimeoutMs: DEADLINE_MS,
      models: { numbers: { key: ['i'] } },
    });
    const order: string[] = [];
    const slow = outcome(ask(engine, { model: 'numbers', attributes: ['i'] })).then((code) =>
      order.push(code),
    );
    // Inside this process the statement would hold the loop, and with it every timer, until it is
    // done.
    setTimeout(() => order.push('timer'), 0);
    expect((await ask(engine, { model: 't', attributes: ['id'] })).records).toEqual([{ id: '1' }]);
    await slow;
    expect(order).toEqual(['timer', 'query_timeout']);
    expect((await ask(engine, { model: 't', attributes: ['id'] })).records).toHaveLength(1);
  });
});
