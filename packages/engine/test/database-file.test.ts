import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { expect, it } from 'vitest';

import { databaseFile, execute } from './database-file.ts';

/**
 * Holds the lock of a reader, says so, and lets go a moment later, while the test's own thread
 * waits for the lock.
 */
const READER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(workerData, { readOnly: true });
  database.exec('begin; select * from t');
  parentPort.postMessage('reading');
  setTimeout(() => database.close(), 100);`;

it('a script waits for a reader that keeps writers out instead of failing with `database is locked`', async () => {
  const path = databaseFile('create table t (a)');
  const reader = new Worker(READER, { eval: true, workerData: path });
  await once(reader, 'message');
  expect(() => execute(path, 'insert into t values (1)')).not.toThrow();
  await once(reader, 'exit');
});
