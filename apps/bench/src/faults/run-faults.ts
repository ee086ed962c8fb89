import { setTimeout as sleep } from 'node:timers/promises';

import type { DatabaseName } from '../scenarios.ts';
import type { FaultDatabase } from './databases/fault-database.ts';
import { openFaultDatabase } from './databases/open-fault-database.ts';
import type { FaultRow } from './fault-row.ts';
import { type FaultService, startService } from './service.ts';
import { openStage } from './stage.ts';
import { FAULT_ROWS } from './table.ts';

/** What a run of the suite does. */
export interface FaultOptions {
  readonly databases: readonly DatabaseName[];
  /** The rows by their ids; undefined runs all. */
  readonly rows: readonly string[] | undefined;
  readonly print: (line: string) => void;
}

/** A row that takes longer has failed, whatever it waits for. */
const LONGEST_ROW_MS = 90_000;

/**
 * Runs the fault table against the service over each database, row after row.
 *
 * @returns whether every row saw what it expects.
 */
export async function runFaults({ databases, rows, print }: FaultOptions): Promise<boolean> {
  let passed = true;
  for (const name of databases) {
    const chosen = FAULT_ROWS.filter(
      (row) => row.databases?.includes(name) !== false && rows?.includes(row.id) !== false,
    );
    const ok = await runOver(name, chosen, print);
    print(`${name}: ${ok} of ${chosen.length}`);
    passed &&= ok === chosen.length;
  }
  return passed;
}

async function runOver(
  name: DatabaseName,
  rows: readonly FaultRow[],
  print: (line: string) => void,
): Promise<number> {
  const database = await openFaultDatabase(name);
  let service: Promise<FaultService> | undefined;
  const shared = async (): Promise<FaultService> =>
    (service ??= startService({ database: database.url }));
  let ok = 0;
  try {
    for (const row of rows) {
      const began = performance.now();
      const failure = await runRow(row, { database, shared });
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      if (failure === undefined) ok += 1;
      print(describe(row, { name, failure, seconds }));
    }
  } finally {
    await (await service)?.stop();
    await database.close();
  }
  return ok;
}

interface Place {
  readonly database: FaultDatabase;
  readonly shared: () => Promise<FaultService>;
}

/** Why a row failed; undefined where it did not. */
async function runRow(row: FaultRow, { database, shared }: Place): Promise<string | undefined> {
  const { stage, clear } = openStage(database, shared);
  const tooLong = new AbortController();
  try {
    const late = sleep(LONGEST_ROW_MS, 'late' as const, { signal: tooLong.signal });
    late.catch(() => undefined);
    const outcome = await Promise.race([row.run(stage), late]);
    return outcome === 'late' ? `it took longer than ${LONGEST_ROW_MS / 1000} s` : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    tooLong.abort();
    await clear();
  }
}

interface Result {
  readonly name: DatabaseName;
  readonly failure: string | undefined;
  readonly seconds: string;
}

function describe({ id, fault, expected }: FaultRow, { name, failure, seconds }: Result): string {
  const outcome = failure === undefined ? 'ok    ' : 'FAILED';
  const head = `${outcome} ${name} ${id}: ${fault} (${seconds} s)`;
  if (failure === undefined) return head;
  const indent = '\n       ';
  return [head, `expected: ${expected}`, failure.trim().replaceAll('\n', indent)].join(indent);
}
