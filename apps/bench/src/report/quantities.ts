import { type Measurement, rateOf } from './results.ts';

/** Something that is measured of every subject, and gets a table and a plot. */
export interface Quantity {
  /** The plot's file name without its extension. */
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  /** What a reader has to know. */
  readonly note: string;
  readonly value: (measurement: Measurement) => number | undefined;
}

const MIB = 2 ** 20;

export const QUANTITIES: readonly Quantity[] = [
  {
    key: 'requests-per-second',
    title: 'Requests per second',
    unit: 'requests/s',
    note: 'Good replies only; more is better.',
    value: rateOf,
  },
  {
    key: 'p50',
    title: 'Median latency',
    unit: 'ms',
    note: 'With all connections busy; less is better. MariaDB’s tool reports no single times.',
    value: ({ p50 }) => p50,
  },
  {
    key: 'p99',
    title: '99th percentile of latency',
    unit: 'ms',
    note:
      'Less is better. Where fewer than a hundred requests fitted in, ' +
      'it is the slowest of them.',
    value: ({ p99 }) => p99,
  },
  {
    key: 'rss',
    title: 'Memory',
    unit: 'MiB',
    note:
      'Resident memory of the subject’s processes after the scenario; ' +
      'the database’s own is not in it. On SQLite the service reads in processes of their ' +
      'own, which count.',
    value: ({ rssBytes }) => (rssBytes === undefined ? undefined : rssBytes / MIB),
  },
  {
    key: 'cpu',
    title: 'Processor time per request',
    unit: 'µs',
    note:
      'Of the subject’s processes, the database’s not counted; ' +
      'on SQLite reading the file is in it.',
    value: ({ cpuSeconds, answered }) =>
      cpuSeconds === undefined || cpuSeconds === 0 || answered === 0
        ? undefined
        : (cpuSeconds / answered) * 1e6,
  },
];
