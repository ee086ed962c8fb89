/**
 * Opens an engine on the file that the first argument names, sends a statement without end to one of
 * its readers, and says the ids of them all.
 */
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';

import { EVERYTHING, openEngine } from '@proj/engine';
import { sqlite } from '@proj/sqlite';

const [path = ''] = process.argv.slice(2);
const readers: ChildProcess[] = [];
subscribe('child_process', (message) => {
  readers.push((message as { process: ChildProcess }).process);
});

const engine = await openEngine({
  kinds: [sqlite],
  database: `sqlite:${path}`,
  queryTimeoutMs: 60_000,
  expose: 'all',
  models: { endless: { key: ['i'] } },
  maxPageSize: 10,
});
const body = { query_model: 'endless', query_attributes: ['i'], page: { page: 1, size: 1 } };
engine.query(body, EVERYTHING).catch(() => {});
process.send?.(readers.map(({ pid }) => pid));
