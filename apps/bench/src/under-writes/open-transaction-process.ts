import { setTimeout as sleep } from 'node:timers/promises';

import { answerParent, childInput } from '../processes/child.ts';
import { openConnection } from '../writers/connection.ts';
import type { OpenTransactionInput } from './write-load.ts';

/** So many rows come before those of the writers. */
const DISTANCE = 1_000_000;
const PAUSE_MS = 20;

const { database, url, table, rows } = childInput() as OpenTransactionInput;
const { run, close } = await openConnection(database, url);
const stop = new AbortController();

/** One transaction that writes and writes, and is never committed. */
async function write(): Promise<void> {
  await run('begin');
  for (let number = 1; !stop.signal.aborted; number++) {
    const values = `${rows + DISTANCE + number}, '2030-01-01T00:00:00', 'open', 1.5, true`;
    await run(`insert into ${table} (id, created_at, name, amount, flag) values (${values})`);
    await sleep(PAUSE_MS);
  }
  await run('rollback');
}

const writing = write();
answerParent('ready', async () => {
  stop.abort();
  await writing;
  await close();
});
