import { fork } from 'node:child_process';
import { once } from 'node:events';

import { afterAll, describe, expect, it } from 'vitest';

import { databaseFile } from '../../sqlite/test/database-file.ts';
import { ask, open } from './open.ts';
import { outcome } from './outcome.ts';
import { exists, running, untilBusy } from './reader-processes.ts';

const ENDLESS = `create table t (id integer primary key); insert into t values (1);
  create view endless as with recursive n (i) as (select 1 union all select i + 1 from n) select i from n`;

const orphans: number[] = [];
afterAll(() => {
  for (const pid of orphans.filter(exists)) process.kill(pid, 'SIGKILL');
});

describe('closing an engine', () => {
  it('ends all of its processes, one that is busy too, refuses later questions, and can be done twice', async () => {
    const engine = await open(`sqlite:${databaseFile(ENDLESS)}`, {
      models: { endless: { key: ['i'] } },
      processes: 1,
    });
    const busy = outcome(ask(engine, { model: 'endless', attributes: ['i'] }));
    await ask(engine, { model: 't', attributes: ['id'] });
    expect(running().length).toBeGreaterThan(0);
    await engine.close();
    expect(running()).toEqual([]);
    expect(await busy).not.toBe('answered');
    expect(await outcome(ask(engine, { model: 't', attributes: ['id'] }))).toBe('shutting_down');
    expect(await outcome(engine.ping())).toBe('shutting_down');
    await engine.close();
    expect(running()).toEqual([]);
  });
});

describe('a process that dies', () => {
  it('takes its readers along, the busy one too', async () => {
    const program = new URL('programs/holder.ts', import.meta.url);
    const holder = fork(program, [databaseFile(ENDLESS)], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const [pids] = (await once(holder, 'message')) as [number[]];
    orphans.push(...pids);
    await Promise.any(pids.map((pid) => untilBusy(pid)));
    expect(pids.filter(exists)).toEqual(pids);
    holder.kill('SIGKILL');
    await expect.poll(() => pids.filter(exists)).toEqual([]);
  });
});
