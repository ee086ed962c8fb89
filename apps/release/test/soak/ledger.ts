import type { DatabaseName, FaultDatabase } from '../databases/fault-database.ts';

/** Rows come, change and go in batches of so many, each batch in one transaction. */
export const BATCH = 10;

const FIRST_BATCHES = 2000;

const COLUMNS =
  'id integer primary key, batch integer not null, part integer not null, amount integer not null';

/** Makes the table whose every committed state consists of whole batches. */
export async function createLedger({ run }: FaultDatabase): Promise<void> {
  await run(`create table ledger (${COLUMNS}, note varchar(200))`);
  for (let from = 0; from < FIRST_BATCHES; from += 200) {
    await run(insertion(Array.from({ length: 200 }, (_, index) => from + index)));
  }
}

/** One change of the table: a statement, and so a transaction, of its own. */
export function ledgerChange(turn: number): string {
  const batch = (turn * 7919) % FIRST_BATCHES;
  if (turn % 3 === 0) return `update ledger set amount = ${turn} where batch = ${batch}`;
  return turn % 3 === 1
    ? `delete from ledger where batch = ${(turn + 3) % 500}`
    : insertion([FIRST_BATCHES + turn]);
}

/** Empties the table, and makes fewer batches anew. */
export function refilling(name: DatabaseName, turn: number): string {
  const batches = Array.from({ length: 100 }, (_, index) => (turn % 10) * 100 + index);
  const emptied = name === 'sqlite' ? 'delete from ledger' : 'truncate table ledger';
  return `begin; ${emptied}; ${insertion(batches)}; commit`;
}

/**
 * What is wrong with a page of the table by its key, read from a multiple of the batch on;
 * undefined where nothing is.
 */
export function ledgerError(text: string, size: number): string | undefined {
  const { result, page } = JSON.parse(text) as LedgerReply;
  const total = Number(page.total);
  if (total % BATCH !== 0) return `the total ${total} is of no committed state`;
  const offset = (Number(page.page) - 1) * size;
  const expected = Math.max(0, Math.min(size, total - offset));
  if (result.length !== expected)
    return `${result.length} records where ${expected} belong to the total ${total}`;
  if (page.has_next !== Number(page.page) * size < total)
    return `has_next is ${page.has_next} for the total ${total}`;
  return brokenBatch(result);
}

interface LedgerReply {
  readonly result: readonly {
    readonly batch: unknown;
    readonly part: unknown;
    readonly amount: unknown;
  }[];
  readonly page: { readonly page: string; readonly total: string; readonly has_next: boolean };
}

function brokenBatch(records: LedgerReply['result']): string | undefined {
  for (const [index, { batch, part, amount }] of records.entries()) {
    const first = records[index - (index % BATCH)];
    if (Number(part) !== index % BATCH)
      return `record ${index} is part ${String(part)} of its batch`;
    if (batch !== first?.batch || amount !== first?.amount)
      return `record ${index} is of another state than its batch`;
  }
  return undefined;
}

function insertion(batches: readonly number[]): string {
  const rows = batches.flatMap((batch) =>
    Array.from(
      { length: BATCH },
      (_, part) => `(${batch * BATCH + part}, ${batch}, ${part}, 0, '${'x'.repeat(150)}')`,
    ),
  );
  return `insert into ledger values ${rows.join(', ')}`;
}
