import { type DatabaseName, tableName } from '../databases/database.ts';
import { startChild } from '../processes/child.ts';

/** What is written. */
export interface WriterInput {
  readonly name: DatabaseName;
  readonly url: string;
  readonly table: string;
  readonly rows: number;
  /** Transactions of all connections together. */
  readonly perSecond: number;
  readonly connections: number;
  /** Whether one more connection writes and writes, and never commits. */
  readonly isOneOpen?: boolean;
  /**
   * Into how many lists of amounts the table is divided, of which one after the other becomes
   * longer. Default: what is added goes again.
   */
  readonly lists?: number;
}

/** One of those lists; amounts are below 10,000. */
interface ListRange {
  readonly from: number;
  /** The first amount that is of the next list. */
  readonly to: number;
}

const MOST_AMOUNT = 10_000;

/** The ranges of lists of equal width, which are whole numbers of hundredths. */
export function rangeOf(list: number, lists: number): ListRange {
  const bound = (index: number): number => Math.floor((MOST_AMOUNT * 100 * index) / lists) / 100;
  return { from: bound(list), to: bound(list + 1) };
}

/** What was really written. */
export interface Written {
  readonly transactions: number;
  readonly seconds: number;
  readonly failed: number;
}

/** When a list became longer: when each addition was sent, and when it was committed. */
export interface Additions {
  readonly sent: readonly number[];
  readonly done: readonly number[];
}

/** What was written in the end. */
export interface AllWritten extends Written {
  /** To each of the lists. */
  readonly additions: readonly Additions[];
}

/** Somebody who writes while others read. */
export interface Writer {
  /** What was written so far. */
  written(): Promise<Written>;
  /** Ends the writing; the additions to each list remain, and nothing else. */
  stop(): Promise<AllWritten>;
}

/** How much is written, and to what. */
interface WriterTerms extends Pick<WriterInput, 'rows' | 'perSecond' | 'isOneOpen' | 'lists'> {
  readonly database: Pick<WriterInput, 'name' | 'url'>;
}

/** A connection waits for each of its commits, so that a high rate takes several. */
const MOST_OF_ONE = { alone: 250, inLists: 125 };

/** Starts to commit transactions at a steady rate, in a process of its own. */
export async function startWriter({ database, ...terms }: WriterTerms): Promise<Writer> {
  const { name, url } = database;
  const { rows, perSecond, lists } = terms;
  const most = lists === undefined ? MOST_OF_ONE.alone : MOST_OF_ONE.inLists;
  // SQLite has one writer at a time.
  const wanted = name === 'sqlite' ? 1 : Math.ceil(perSecond / most);
  const connections = Math.min(lists ?? Infinity, wanted);
  const input: WriterInput = { ...terms, name, url, table: tableName(rows), connections };
  const child = await startChild('./writer-process', import.meta.url, input);
  return {
    written: async () => (await child.ask('written')) as Written,
    stop: async () => {
      const written = (await child.ask('stop')) as AllWritten;
      await child.stop();
      return written;
    },
  };
}
