import { Client } from 'pg';

/** Transactions of a kind that a version has to distinguish. */
const TRANSACTIONS: readonly ((table: string, id: number) => string)[] = [
  (table, id) => `insert into ${table} values (${id}, 'new') on conflict (id) do nothing`,
  (table, id) => `delete from ${table} where id = ${id}`,
  (table, id) => `update ${table} set note = note || 'x' where id % 7 = ${id % 7}`,
  (table, id) => `update ${table} set id = -id where id = ${id}`,
  (table, id) =>
    `begin; savepoint a; insert into ${table} values (${id}, 'back') on conflict do nothing;
     rollback to a; savepoint b; delete from ${table} where id = ${id + 1}; release b; commit`,
  (table, id) => `begin; delete from ${table} where id > ${id}; rollback`,
  (table, id) => `begin; savepoint a; update ${table} set note = 'sub' where id = ${id}; commit`,
];

/** Writers that never rest, until they are stopped. */
export class Writers {
  readonly #writers: Promise<void>[];
  #isStopped = false;
  transactions = 0;

  /** @param tables which tables they write, in turn */
  constructor(url: string, tables: readonly string[], count: number) {
    this.#writers = Array.from({ length: count }, (_, seed) => this.#write(url, tables, seed));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#writers);
  }

  async #write(url: string, tables: readonly string[], seed: number): Promise<void> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      for (let turn = seed; !this.#isStopped; turn++) {
        const table = tables[turn % tables.length] ?? '';
        const transaction = TRANSACTIONS[(turn * 5 + seed) % TRANSACTIONS.length];
        // Two that wait for each other's rows, or that meet at a key, try the next.
        await client.query(transaction?.(table, (turn * 13) % 50) ?? '').catch(() => undefined);
        await client.query('rollback');
        this.transactions += 1;
      }
    } finally {
      await client.end();
    }
  }
}
