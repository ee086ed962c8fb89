import { startChild } from '../processes/child.ts';
import type { DatabaseName } from '../scenarios.ts';
import { type BenchDatabase, tableName } from '../tables/bench-database.ts';

/** What a writer writes. */
export interface WriterInput {
  readonly database: DatabaseName;
  readonly url: string;
  readonly table: string;
  readonly rows: number;
  readonly perSecond: number;
  /** Which of the writers of the table it is, from 0. */
  readonly writer: number;
}

/** What was really written. */
export interface Written {
  readonly transactions: number;
  readonly seconds: number;
  readonly failed: number;
}

/** Somebody who writes while others read. */
export interface Writer {
  /** What was written so far. */
  written(): Promise<Written>;
  /** Ends the writing, with the whole table as long as it was. */
  stop(): Promise<Written>;
}

/** At what rate a table is written, and by which of its writers. */
export interface WriterPace {
  readonly perSecond: number;
  /** Default: the only one. */
  readonly writer?: number;
}

/**
 * Starts to commit transactions at a steady rate on a connection of its own, in a process of its
 * own.
 */
export async function startWriter(
  database: BenchDatabase,
  rows: number,
  { perSecond, writer = 0 }: WriterPace,
): Promise<Writer> {
  const { name, url } = database;
  const target = { database: name, url, table: tableName(rows), rows };
  const input: WriterInput = { ...target, perSecond, writer };
  const child = await startChild('./writer-process', import.meta.url, input);
  return {
    written: async () => (await child.ask('written')) as Written,
    stop: async () => {
      const written = (await child.ask('stop')) as Written;
      await child.stop();
      return written;
    },
  };
}
