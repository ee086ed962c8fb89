import { setTimeout } from 'node:timers/promises';

import { INVARIANT, PAIR, recordsAtFirst } from './invariant.ts';
import type { ScratchSession } from './scratch-session.ts';
import type { ScratchTable } from './scratch-table.ts';

export interface WriterCounts {
  commits: number;
  /** By the database, as in a deadlock. */
  refused: number;
}

export interface Writing {
  readonly table: Pick<ScratchTable, 'quoted'>;
  /** Maximum of all writers together. */
  readonly commitsPerSecond: number;
  readonly signal: AbortSignal;
  readonly counts: WriterCounts;
}

/**
 * Writes with one session each, until the signal aborts. Each writer has its own records, so none
 * waits: amounts move between two of them, and a record moves to the other id of its pair, which on
 * a cluster is often on another server.
 */
export async function writeAll(
  sessions: readonly ScratchSession[],
  writing: Writing,
): Promise<void> {
  const records = recordsAtFirst();
  await Promise.all(
    sessions.map((session, at) => {
      const own = records.filter((_, index) => index % sessions.length === at);
      const pauseMs = (1000 * sessions.length) / writing.commitsPerSecond;
      return write(session, { ...writing, own, pauseMs });
    }),
  );
}

interface OwnWriting extends Writing {
  /** As of the last commit. */
  readonly own: { id: number; amount: number }[];
  readonly pauseMs: number;
}

async function write(session: ScratchSession, writing: OwnWriting): Promise<void> {
  const { signal, counts, own, pauseMs } = writing;
  for (let turn = 0; !signal.aborted; turn++) {
    const change = changeOf(own, turn);
    if (change === undefined) return;
    try {
      await session.transaction(change.statements(writing.table.quoted));
      change.apply();
      counts.commits += 1;
    } catch {
      counts.refused += 1;
    }
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

function changeOf(own: OwnWriting['own'], turn: number) {
  const from = own[turn % own.length];
  const to = own[(turn * 7 + 3) % own.length];
  if (from === undefined || to === undefined) return undefined;
  const moved = from === to ? 0 : 1 + (turn % INVARIANT.amount);
  const id = from.id > PAIR ? from.id - PAIR : from.id + PAIR;
  const amount = from.amount - moved;
  return {
    statements: (table: string): string[] => [
      `delete from ${table} where id = ${from.id}`,
      `insert into ${table} (id, amount) values (${id}, ${amount})`,
      ...(from === to
        ? []
        : [`update ${table} set amount = amount + ${moved} where id = ${to.id}`]),
    ],
    apply: (): void => {
      Object.assign(from, { id, amount });
      if (from !== to) to.amount += moved;
    },
  };
}
