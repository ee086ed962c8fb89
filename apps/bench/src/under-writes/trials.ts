import type { DatabaseName } from '../databases/database.ts';
import { type Depth, powerOfTen } from '../scenarios.ts';

/** What is read from while others write. */
export const SETUPS = ['primary', 'feed', 'standby', 'process', 'no-process', 'file'] as const;
export type Setup = (typeof SETUPS)[number];

/** What they are, for readers. */
export const SETUP_LABELS: Record<Setup, string> = {
  primary: 'PostgreSQL',
  feed: 'PostgreSQL, followed',
  standby: 'PostgreSQL, standby',
  process: 'MariaDB, with PROCESS',
  'no-process': 'MariaDB, without PROCESS',
  file: 'SQLite',
};

export const SETUPS_OF: Record<DatabaseName, readonly Setup[]> = {
  postgres: ['primary', 'feed', 'standby'],
  mariadb: ['process', 'no-process'],
  sqlite: ['file'],
};

/**
 * What the writers write to. The table of another server is what readers of a table that nobody
 * writes are measured beside: it takes as much of the machine.
 */
export const WRITTEN = [
  'nothing',
  'another server',
  'another table',
  'this table',
  'this table beside an open transaction',
] as const;
export type WrittenTo = (typeof WRITTEN)[number];

/** What is read: the whole table, lists beside it, some of its rows, or another order. */
export const LISTS = ['whole', 'several', 'filtered', 'tenants', 'ordered'] as const;
export type ListKind = (typeof LISTS)[number];

/** What they are, for readers. */
export const LIST_LABELS: Record<ListKind, string> = {
  whole: '',
  several: 's of 8 lists',
  filtered: ' of a tenth of the rows, filtered',
  tenants: 's of 100 tenants, filtered',
  ordered: ' in another order',
};

/** What writers do while some pages are measured. */
export interface WriteLoad {
  readonly writtenTo: WrittenTo;
  /** Transactions of all writers together. */
  readonly perSecond: number;
}

/** One page of some lists, read beside writers. */
export interface Trial extends WriteLoad {
  readonly setup: Setup;
  readonly rows: number;
  readonly depth: Depth;
  readonly lists: ListKind;
}

/** Of which values trials are made. */
export interface TrialFactors {
  readonly rows: number;
  readonly depths: readonly Depth[];
  readonly written: readonly WrittenTo[];
  readonly lists: readonly ListKind[];
  /** Transactions per second; 0 is a database at rest. */
  readonly writeRates: readonly number[];
}

/** The loads of writers, those with the same rate one after another. */
export function planLoads(
  setup: Setup,
  { writeRates, written }: Pick<TrialFactors, 'writeRates' | 'written'>,
): WriteLoad[] {
  const kinds = written.filter(
    (writtenTo) =>
      writtenTo !== 'nothing' &&
      // SQLite has one writer at a time.
      (setup !== 'file' || writtenTo !== 'this table beside an open transaction'),
  );
  return writeRates.flatMap((perSecond): WriteLoad[] =>
    perSecond === 0
      ? [{ writtenTo: 'nothing', perSecond }]
      : kinds.map((writtenTo) => ({ writtenTo, perSecond })),
  );
}

/**
 * What is read beside one load of writers: each page of the table, and the first of several lists.
 * Of a table that is followed also pages of other lists.
 */
export function planTrials(
  setup: Setup,
  load: WriteLoad,
  { rows, depths, lists: wanted }: Pick<TrialFactors, 'rows' | 'depths' | 'lists'>,
): Trial[] {
  const base = { setup, rows, ...load };
  const each = (lists: ListKind): Trial[] => depths.map((depth) => ({ ...base, depth, lists }));
  const first = (lists: ListKind): Trial => ({ ...base, depth: 'first', lists });
  const plain = [...each('whole'), first('several')];
  const ofFeed = [...each('filtered'), first('tenants'), ...each('ordered')];
  const all = setup === 'feed' ? [...plain, ...ofFeed] : plain;
  return all.filter(({ lists }) => wanted.includes(lists));
}

/** What distinguishes one trial from the others. */
export function trialLabel({ setup, rows, depth, lists, writtenTo, perSecond }: Trial): string {
  const read = `${depth} page${LIST_LABELS[lists]}`;
  const writes = perSecond === 0 ? 'at rest' : `${perSecond} writes/s to ${writtenTo}`;
  return `${SETUP_LABELS[setup]}, ${powerOfTen(rows)} rows, ${read}, ${writes}`;
}
