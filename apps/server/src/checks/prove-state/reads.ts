import { setTimeout } from 'node:timers/promises';

import { type Engine, EVERYTHING, QueryFailedError } from '@proj/engine';

import { type Fault, faultOf, INVARIANT, type ScratchRecord } from './invariant.ts';
import type { ScratchSession } from './scratch-session.ts';
import type { ScratchTable } from './scratch-table.ts';

/** What reads found. */
export interface ReadCounts {
  replies: number;
  readonly faults: Record<Fault, number>;
  /** Reads that were not answered, by the code of the problem. */
  readonly problems: Map<string, number>;
}

/** Reads that nothing was found of yet. */
export function noReads(): ReadCounts {
  return { replies: 0, faults: { contradiction: 0, impossible: 0 }, problems: new Map() };
}

/** How reads read. */
export interface Reading {
  readonly table: Pick<ScratchTable, 'name' | 'quoted'>;
  readonly signal: AbortSignal;
  readonly counts: ReadCounts;
}

/** One in so many reads is an export. */
const EXPORT_EVERY = 8;

/**
 * Reads whole lists through the service's own engine until the signal aborts: pages, and exports
 * among them.
 */
export async function readByEngine(
  engine: Pick<Engine, 'query' | 'export'>,
  { table: { name }, signal, counts }: Reading,
): Promise<void> {
  const list = { query_model: name, query_attributes: ['id', 'amount'] };
  for (let turn = 1; !signal.aborted; turn++) {
    try {
      const read = turn % EXPORT_EVERY === 0 ? exportOnce : readPage;
      const { records, total } = await read(engine, list);
      note(counts, records, total);
    } catch (error) {
      if (!(error instanceof QueryFailedError)) throw error;
      counts.problems.set(error.code, (counts.problems.get(error.code) ?? 0) + 1);
    }
  }
}

/** How long a broken read waits between its parts, in milliseconds. */
const BETWEEN_MS = 5;

/**
 * Reads the table as nobody should, until the signal aborts: its records in two halves and their
 * total, each in a transaction of its own.
 */
export async function readBroken(
  session: ScratchSession,
  { table: { quoted }, signal, counts }: Reading,
): Promise<void> {
  const half = `select id, amount from ${quoted} where id % 2 =`;
  while (!signal.aborted) {
    const even = await session.rows(`${half} 0`);
    await setTimeout(BETWEEN_MS);
    const odd = await session.rows(`${half} 1`);
    const [[total] = []] = await session.rows(`select count(*) from ${quoted}`);
    const records = [...even, ...odd].map(([id, amount]) => recordOf({ id, amount }));
    note(counts, records, Number(total));
  }
}

interface Read {
  readonly records: readonly ScratchRecord[];
  readonly total: number;
}

async function readPage(engine: Pick<Engine, 'query'>, list: object): Promise<Read> {
  // A page of twice as many shows records that are too many.
  const page = { page: 1, size: 2 * INVARIANT.records };
  const answer = await engine.query({ ...list, page }, EVERYTHING);
  const records = (JSON.parse(answer.result) as Record<string, unknown>[]).map(recordOf);
  return { records, total: Number(answer.page.total) };
}

async function exportOnce(engine: Pick<Engine, 'export'>, list: object): Promise<Read> {
  let [text, total] = ['', 0];
  const sink = {
    begin: async (found: { readonly total: bigint }) => void (total = Number(found.total)),
    write: async (lines: { readonly text: string }) => void (text += lines.text),
  };
  await engine.export(list, EVERYTHING, { sink });
  const lines = text.split('\n').filter((line) => line !== '');
  const records = lines.map((line) => recordOf(JSON.parse(line) as Record<string, unknown>));
  return { records, total };
}

function recordOf({ id, amount }: Readonly<Record<string, unknown>>): ScratchRecord {
  return { id: Number(id), amount: Number(amount) };
}

function note(counts: ReadCounts, records: readonly ScratchRecord[], total: number): void {
  counts.replies += 1;
  const fault = faultOf(records, total);
  if (fault !== undefined) counts.faults[fault] += 1;
}
