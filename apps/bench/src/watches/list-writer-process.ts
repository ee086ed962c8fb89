import { setTimeout as sleep } from 'node:timers/promises';

import { answerParent, childInput } from '../processes/child.ts';
import { openConnection } from '../writers/connection.ts';
import { type ListCommits, rangeOf } from './watched-lists.ts';

/** What the process writes. */
export interface ListWriterInput {
  readonly url: string;
  readonly table: string;
  readonly rows: number;
  readonly lists: number;
  /** Transactions of all connections together. */
  readonly perSecond: number;
}

const { url, table, rows, lists, perSecond } = childInput() as ListWriterInput;

/** A connection waits for each of its commits, so that a high rate takes several. */
const CONNECTIONS = Math.min(lists, Math.ceil(perSecond / 125));

const commits = Array.from({ length: lists }, () => ({
  sent: [] as number[],
  done: [] as number[],
}));
const stop = new AbortController();

/** The time by a clock that all processes share, in milliseconds. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

/**
 * Adds a record to one list after another, and changes one that is there. A connection has lists of
 * its own, so that it knows in which order they become longer.
 */
async function write(connection: number): Promise<void> {
  const { run, close } = await openConnection('postgres', url);
  const own = Array.from({ length: lists }, (_, list) => list).filter(
    (list) => list % CONNECTIONS === connection,
  );
  const everyMs = (1000 * CONNECTIONS) / perSecond;
  let due = performance.now() + everyMs;
  for (let number = 0; !stop.signal.aborted; number++) {
    await sleep(Math.min(50, Math.max(0, due - performance.now())));
    if (performance.now() < due) {
      number--;
      continue;
    }
    due = Math.max(due + everyMs, performance.now() - 500);
    const list = own[number % own.length] ?? 0;
    const { sent, done } = commits[list] ?? { sent: [], done: [] };
    const id = rows + 1 + number * CONNECTIONS + connection;
    const amount = rangeOf(list, lists).from;
    const changed = 1 + ((number * 7919 + connection * 104_729) % rows);
    sent.push(now());
    await run(
      `begin; insert into ${table} (id, created_at, name, amount, flag) ` +
        `values (${id}, '2030-01-01T00:00:00', 'added ${number}', ${amount}, false); ` +
        `update ${table} set name = 'changed ${number}' where id = ${changed}; commit`,
    );
    done.push(now());
  }
  await close();
}

const writing = Array.from({ length: CONNECTIONS }, (_, connection) => write(connection));
answerParent('ready', async (): Promise<ListCommits[]> => {
  stop.abort();
  await Promise.all(writing);
  return commits.map(({ sent, done }) => ({
    sent: Float64Array.from(sent),
    done: Float64Array.from(done),
  }));
});
