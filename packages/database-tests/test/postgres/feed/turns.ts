import { Client } from 'pg';
import { onTestFinished } from 'vitest';

/** Writers that write as often as the test lets them. */
export interface TurnWriters {
  /** Begins another transaction of each writer whose last one has ended. */
  readonly goOn: () => void;
  /** Waits for the transactions that were begun, and returns how many there were. */
  readonly stop: () => Promise<number>;
}

/**
 * Connects writers, who go on beside what the test does. A transaction that fails, as by a row that
 * another one locked, is rolled back.
 *
 * @param transactionOf texts that are sent one after the other
 */
export async function startWriters(
  url: string,
  count: number,
  transactionOf: (turn: number) => string | readonly string[],
): Promise<TurnWriters> {
  const clients = Array.from({ length: count }, () => new Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  onTestFinished(async () => {
    await stop();
    await Promise.all(clients.map((client) => client.end()));
  });
  const writing = new Map<Client, Promise<void>>();
  let turns = 0;
  async function write(client: Client): Promise<void> {
    for (const text of [transactionOf(turns++)].flat())
      await client.query(text).catch(() => client.query('rollback'));
    writing.delete(client);
  }
  async function stop(): Promise<number> {
    await Promise.all(writing.values());
    return turns;
  }
  return {
    goOn() {
      for (const client of clients) if (!writing.has(client)) writing.set(client, write(client));
    },
    stop,
  };
}
