import { setTimeout as sleep } from 'node:timers/promises';

import type { Connection } from '../databases/database.ts';
import { PRODUCTS } from '../databases/products.ts';
import { answerParent, childInput } from '../processes/child.ts';
import { type AllWritten, rangeOf, type WriterInput, type Written } from './writer.ts';

const { name, url, table, rows, perSecond, connections, isOneOpen, lists } =
  childInput() as WriterInput;
const started = performance.now();
const stop = new AbortController();
const counts = { transactions: 0, failed: 0 };
const additions = Array.from({ length: lists ?? 0 }, () => {
  return { sent: [] as number[], done: [] as number[] };
});

/** What a busy machine has held up is made up for; more than this, in milliseconds, is left out. */
const MOST_LATE_MS = 500;

/** The rows of the transaction that stays open come so far behind the end, so often. */
const OPEN = { distance: 1_000_000, pauseMs: 20 };

const CHANGE = lists === undefined ? change : addToList;

/** The connection with this number commits. It keeps to the clock, so that no rate gets lower. */
async function write(connection: number): Promise<void> {
  const session = await PRODUCTS[name].connect(url);
  const everyMs = (1000 * connections) / perSecond;
  let due = performance.now() + everyMs;
  for (let number = 0; !stop.signal.aborted;) {
    await sleep(Math.min(50, Math.max(0, due - performance.now())));
    if (performance.now() < due || stop.signal.aborted) continue;
    due = Math.max(due, performance.now() - MOST_LATE_MS) + everyMs;
    try {
      await CHANGE(session, connection, number);
      counts.transactions++;
      number++;
    } catch {
      counts.failed++;
    }
  }
  if (lists === undefined) await session.run(deletion(connection));
  await session.close();
}

/**
 * Some row is changed; behind the end a row of this connection comes and goes in turn, so that the
 * total changes with every transaction.
 */
async function change(session: Connection, connection: number, number: number): Promise<void> {
  const where = changedRow(connection, number);
  const row = `${rows + 1 + connection}, '2030-01-01T00:00:00', 'written ${number}', ${number}.5`;
  await session.run('begin');
  try {
    await session.run(`update ${table} set amount = ${number}.25 where id = ${where}`);
    await session.run(
      number % 2 === 0 ? insertion(`${row}, ${number % 3 === 0}`) : deletion(connection),
    );
    await session.run('commit');
  } catch (error) {
    await session.run('rollback');
    throw error;
  }
}

/**
 * A record is added to one list after another, and one that is there is changed. A connection has
 * lists of its own, so that it knows in which order they become longer.
 */
async function addToList(session: Connection, connection: number, number: number): Promise<void> {
  const count = additions.length;
  const own = Math.ceil((count - connection) / connections);
  const list = connection + (number % own) * connections;
  const { from } = rangeOf(list, count);
  const id = rows + 1 + number * connections + connection;
  const where = changedRow(connection, number);
  additions[list]?.sent.push(now());
  const added = insertion(`${id}, '2030-01-01T00:00:00', 'added ${number}', ${from}, false`);
  const changed = `update ${table} set name = 'changed ${number}' where id = ${where}`;
  await session.run(`begin; ${added}; ${changed}; commit`);
  additions[list]?.done.push(now());
}

/** One transaction that writes and writes, and is never committed. */
async function writeOpen(): Promise<void> {
  const { run, close } = await PRODUCTS[name].connect(url);
  await run('begin');
  for (let number = 1; !stop.signal.aborted; number++) {
    const id = rows + OPEN.distance + number;
    await run(insertion(`${id}, '2030-01-01T00:00:00', 'open', 1.5, true`));
    await sleep(OPEN.pauseMs);
  }
  await run('rollback');
  await close();
}

function changedRow(connection: number, number: number): number {
  return 1 + ((number * 7919 + connection * 104_729) % rows);
}

function insertion(values: string): string {
  return `insert into ${table} (id, created_at, name, amount, flag) values (${values})`;
}

function deletion(connection: number): string {
  return `delete from ${table} where id = ${rows + 1 + connection}`;
}

/** The time by a clock that all processes share, in milliseconds. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

const writing = Array.from({ length: connections }, (_, connection) => write(connection));
if (isOneOpen === true) writing.push(writeOpen());
answerParent('ready', async (question): Promise<Written | AllWritten> => {
  const seconds = (performance.now() - started) / 1000;
  if (question !== 'stop') return { ...counts, seconds };
  stop.abort();
  await Promise.all(writing);
  return { ...counts, seconds, additions };
});
