import type { DatabaseName } from './databases/database.ts';

/** What commands tell their comparisons; each takes some of it. */
interface Told {
  readonly databases: readonly DatabaseName[];
  /** The length of the longest table. */
  readonly rows: number;
  /** How long each of those that are compared is measured, all rounds together. */
  readonly seconds: number;
  readonly rounds: number;
  /** How often each is started. */
  readonly starts: number;
  /** Transactions per second of another connection; 0 for none. */
  readonly writes: number;
}

/** Some of that, as it is typed. */
export type Flags<Name extends keyof Told> = Pick<Told, Name>;

/** The same, and where a comparison prints its lines. */
export type Comparison<Name extends keyof Told> = Flags<Name> & {
  readonly print: (line: string) => void;
};
