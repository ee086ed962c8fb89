import { renameSync, rmSync, writeFileSync } from 'node:fs';

import { QueryFailedError } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { cityQuery, sharedService, startService } from './helper.ts';

/** For the tests that leave the database as it is. */
const over = await sharedService();

describe('/livez and /readyz', () => {
  it('say without a token that the process lives when the database is gone, and that it is not ready while something else lies in its place', async () => {
    const { app, file } = await startService();
    rmSync(file);
    const reply = await app.inject('/livez');
    expect(reply.json()).toEqual({ status: 'live' });
    expect(reply.headers['cache-control']).toBe('no-store');
    writeFileSync(file, 'not a database '.repeat(100));
    expect(await app.inject('/readyz')).toBeProblem('database_unavailable');
  });
});

describe('/readyz', () => {
  it('falls while the process drains, though queries are still answered', async () => {
    const { app, lifecycle, ask } = await startService({ over });
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready' });
    lifecycle.drain();
    const reply = await app.inject('/readyz');
    expect(reply).toBeProblem('shutting_down');
    expect(reply.headers['retry-after']).toBe('1');
    expect((await ask(cityQuery(1, 1))).statusCode).toBe(200);
  });

  it('falls while the database file is gone, and so do queries; both come back with it', async () => {
    const { app, file, ask } = await startService({ over });
    renameSync(file, `${file}.away`);
    for (const reply of [await app.inject('/readyz'), await ask(cityQuery(1, 1))]) {
      expect(reply).toBeProblem('database_unavailable');
      expect(reply.headers['retry-after']).toBe('1');
      expect(reply.body).not.toContain(file);
    }
    renameSync(`${file}.away`, file);
    expect((await app.inject('/readyz')).statusCode).toBe(200);
    expect((await ask(cityQuery(1, 1))).statusCode).toBe(200);
  });

  it('stays while the service is merely busy', async () => {
    const { app } = await startService({ over, stub: { ping: noReaderFree } });
    expect((await app.inject('/readyz')).statusCode).toBe(200);
  });
});

describe('the log', () => {
  it('has a line for a probe that fails, and with the level debug for every probe', async () => {
    for (const [logLevel, expected] of [
      ['info', [503]],
      ['debug', [200, 200, 503]],
    ] as const) {
      const lines: { msg: string; status: number }[] = [];
      const logStream = { write: (line: string) => void lines.push(JSON.parse(line)) };
      const { app, lifecycle } = await startService({ over, logLevel, parts: { logStream } });
      await app.inject('/livez');
      await app.inject('/readyz');
      lifecycle.drain();
      await app.inject('/readyz');
      const answers = lines.filter(({ msg }) => msg === 'answered');
      expect(answers.map(({ status }) => status)).toEqual(expected);
    }
  });
});

function noReaderFree(): Promise<never> {
  return Promise.reject(new QueryFailedError('overloaded', 'No reader was free.'));
}
