import { type Depth, powerOfTen } from '../scenarios.ts';

/** What is read from while others write, and what it is for readers. */
export const SETUPS = {
  primary: { database: 'postgres', label: 'PostgreSQL' },
  feed: { database: 'postgres', label: 'PostgreSQL, followed' },
  standby: { database: 'postgres', label: 'PostgreSQL, standby' },
  process: { database: 'mariadb', label: 'MariaDB, with PROCESS' },
  'no-process': { database: 'mariadb', label: 'MariaDB, without PROCESS' },
  file: { database: 'sqlite', label: 'SQLite' },
} as const;
export type Setup = keyof typeof SETUPS;
export const SETUP_NAMES = Object.keys(SETUPS) as Setup[];

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

/** Lists that are read in turns. */
interface Lists {
  /** What follows the word `page`, for readers. */
  readonly label: string;
  /** How many times as many rows the table has as each of them. */
  readonly share: number;
  /** What makes each of them of the table, as part of a request. */
  readonly parts: readonly object[];
}

function numbered(count: number, filter: (number: number) => object): object[] {
  return Array.from({ length: count }, (_, number) => ({ query_filter: filter(number) }));
}

/**
 * What is read: the whole table, lists beside it, some of its rows, or another order. Amounts are
 * spread evenly from 0 to 10,000, and writers change them.
 */
export const LISTS = {
  whole: { label: '', share: 1, parts: [{}] },
  several: {
    label: 's of 8 lists',
    share: 1,
    parts: [{}, ...numbered(7, (list) => ({ attribute: 'id', op: 'gt', value: `${list + 1}` }))],
  },
  filtered: {
    label: ' of a tenth of the rows, filtered',
    share: 10,
    parts: numbered(1, () => ({ attribute: 'amount', op: 'lt', value: '1000' })),
  },
  tenants: {
    label: 's of 100 tenants, filtered',
    share: 100,
    parts: numbered(100, (tenant) => {
      const value = [`${tenant * 100}`, `${tenant * 100 + 99.99}`];
      return { attribute: 'amount', op: 'between', value };
    }),
  },
  ordered: {
    label: ' in another order',
    share: 1,
    parts: [{ query_sort: [{ attribute: 'created_at' }] }],
  },
} satisfies Record<string, Lists>;
export type ListKind = keyof typeof LISTS;
export const LIST_NAMES = Object.keys(LISTS) as ListKind[];

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
  const read = `${depth} page${LISTS[lists].label}`;
  const writes = perSecond === 0 ? 'at rest' : `${perSecond} writes/s to ${writtenTo}`;
  return `${SETUPS[setup].label}, ${powerOfTen(rows)} rows, ${read}, ${writes}`;
}
