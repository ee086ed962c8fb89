import { startChild } from '../processes/child.ts';
import { type BenchDatabase, tableName } from '../tables/bench-database.ts';
import { startWriter, type Writer, type WriterInput, type Written } from '../writers/writer.ts';
import type { WriteLoad } from './trials.ts';

/** What a transaction that stays open writes. */
export type OpenTransactionInput = Pick<WriterInput, 'database' | 'url' | 'table' | 'rows'>;

/** Where writers can write. */
export interface WriteTargets {
  readonly database: BenchDatabase;
  /** A server of its own, with a table of the same length. */
  readonly elsewhere: BenchDatabase;
  /** The length of the table that is read. */
  readonly rows: number;
  /** The length of another table of the database, which is its name. */
  readonly otherRows: number;
}

/** A connection waits for each of its commits, so that a high rate takes several. */
const MOST_OF_ONE = 250;

/** Starts the writers of a load; stopping them reports what they wrote together. */
export async function startWriteLoad(load: WriteLoad, targets: WriteTargets): Promise<Writer> {
  const { writtenTo, perSecond } = load;
  if (writtenTo === 'nothing') return IDLE;
  const database = writtenTo === 'another server' ? targets.elsewhere : targets.database;
  const rows = writtenTo === 'another table' ? targets.otherRows : targets.rows;
  const open =
    writtenTo === 'this table beside an open transaction'
      ? await startOpenTransaction(database, rows)
      : undefined;
  const count = database.name === 'sqlite' ? 1 : Math.ceil(perSecond / MOST_OF_ONE);
  const writers: Writer[] = [];
  for (let writer = 0; writer < count; writer++)
    writers.push(await startWriter(database, rows, { perSecond: perSecond / count, writer }));
  return {
    written: async () => sumOf(await Promise.all(writers.map((writer) => writer.written()))),
    stop: async () => {
      const written = await Promise.all(writers.map((writer) => writer.stop()));
      await open?.stop();
      return sumOf(written);
    },
  };
}

const NOTHING: Written = { transactions: 0, seconds: 0, failed: 0 };

const IDLE: Writer = { written: async () => NOTHING, stop: async () => NOTHING };

function sumOf(written: readonly Written[]): Written {
  return {
    transactions: written.reduce((sum, { transactions }) => sum + transactions, 0),
    seconds: Math.max(...written.map(({ seconds }) => seconds)),
    failed: written.reduce((sum, { failed }) => sum + failed, 0),
  };
}

async function startOpenTransaction(
  { name, url }: BenchDatabase,
  rows: number,
): Promise<{ stop(): Promise<void> }> {
  const input: OpenTransactionInput = { database: name, url, table: tableName(rows), rows };
  const child = await startChild('./open-transaction-process', import.meta.url, input);
  return {
    stop: async () => {
      await child.ask('stop');
      await child.stop();
    },
  };
}
