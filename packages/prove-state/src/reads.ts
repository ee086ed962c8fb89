import { QueryFailedError } from '@proj/engine';

import { readBrokenOnce } from './broken-reads.ts';
import { type Fault, faultOf, type Seen } from './invariant.ts';
import {
  ENGINE_READS,
  isNotInList,
  READ_KINDS,
  type ReadingEngine,
  type ReadKind,
} from './read-kinds.ts';
import type { ScratchSession } from './scratch-session.ts';
import type { ScratchTable } from './scratch-table.ts';

export interface ReadCounts {
  replies: number;
  readonly faults: Record<Fault, number>;
  /** Unanswered reads by problem code. */
  readonly problems: Map<string, number>;
}

export type Reads = Readonly<Record<ReadKind, ReadCounts>>;

export function noReads(): Reads {
  return {
    pages: noCounts(),
    exports: noCounts(),
    facets: noCounts(),
    groups: noCounts(),
    containing: noCounts(),
  };
}

function noCounts(): ReadCounts {
  return { replies: 0, faults: { contradiction: 0, impossible: 0 }, problems: new Map() };
}

export interface Reading {
  readonly table: Pick<ScratchTable, 'name' | 'quoted'>;
  readonly signal: AbortSignal;
  readonly counts: Reads;
  readonly onRead: () => void;
}

export async function readByEngine(
  engine: ReadingEngine,
  { table: { name }, signal, counts, onRead }: Reading,
): Promise<void> {
  for (let turn = 0; !signal.aborted; turn++) {
    const kind = kindOf(turn);
    try {
      note(counts[kind], await ENGINE_READS[kind](engine, name));
    } catch (error) {
      const { problems } = counts[kind];
      const code = codeOf(error);
      problems.set(code, (problems.get(code) ?? 0) + 1);
    }
    onRead();
  }
}

/** Reads in two halves and a total, each in a transaction of its own, until the signal aborts. */
export async function readBroken(
  session: ScratchSession,
  { table: { quoted }, signal, counts, onRead }: Reading,
): Promise<void> {
  for (let turn = 0; !signal.aborted; turn++) {
    const kind = kindOf(turn);
    note(counts[kind], await readBrokenOnce(kind, session, quoted));
    onRead();
  }
}

function kindOf(turn: number): ReadKind {
  return READ_KINDS[turn % READ_KINDS.length] ?? 'pages';
}

/** @throws what no service answers with */
function codeOf(error: unknown): string {
  if (error instanceof QueryFailedError) return error.code;
  if (isNotInList(error)) return 'record_not_in_list';
  throw error;
}

function note(counts: ReadCounts, seen: Seen): void {
  counts.replies += 1;
  const fault = faultOf(seen);
  if (fault !== undefined) counts.faults[fault] += 1;
}
