import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

/**
 * Runs transactions from several writers until the returned function is called, which gives how
 * many there were. A transaction that fails, as by a row that another one locked, is rolled back.
 *
 * @param transactionOf texts that are sent one after the other
 */
export function writeWith(
  url: string,
  writers: number,
  transactionOf: (turn: number) => string | readonly string[],
): () => Promise<number> {
  const stopping = new AbortController();
  let commits = 0;
  async function write(writer: number): Promise<void> {
    const client = new Client({ connectionString: url });
    await client.connect();
    for (let turn = writer; !stopping.signal.aborted; turn += writers) {
      for (const text of [transactionOf(turn)].flat())
        await client.query(text).catch(() => client.query('rollback'));
      commits += 1;
      await sleep(5);
    }
    await client.end();
  }
  const all = Array.from({ length: writers }, (_, writer) => write(writer));
  return async () => {
    stopping.abort();
    await Promise.all(all);
    return commits;
  };
}
