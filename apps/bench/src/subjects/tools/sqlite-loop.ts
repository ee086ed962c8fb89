import { Latencies } from '../../load/latencies.ts';
import type { LoadResult } from '../../load/load.ts';
import { startChild } from '../../processes/child.ts';
import { pageSequence } from '../../load/page-sequence.ts';
import { tableName } from '../../tables/bench-database.ts';
import { sqliteRows } from '../bare/statements.ts';
import type { Outcome } from '../subject.ts';
import type { ToolWork } from './tool-work.ts';

/** The settings of the loop's process. */
export interface LoopInput {
  readonly file: string;
  readonly sql: string;
  readonly size: number;
  readonly pages: readonly number[];
  readonly amount: number;
}

/**
 * SQLite has no load tool: a loop over one prepared statement, in a process of its own, on one
 * connection.
 */
export async function runSqliteLoop({ database, scenario, amount }: ToolWork): Promise<Outcome> {
  const input: LoopInput = {
    file: database.url.replace(/^sqlite:/, ''),
    sql: sqliteRows(tableName(scenario.rows), '?', '?'),
    size: scenario.size,
    pages: pageSequence(scenario),
    amount,
  };
  const child = await startChild('./sqlite-loop-process', import.meta.url, null);
  try {
    const { counts, ...outcome } = (await child.ask(input)) as LoadResult;
    return { ...outcome, latencies: new Latencies(counts) };
  } finally {
    await child.stop();
  }
}
