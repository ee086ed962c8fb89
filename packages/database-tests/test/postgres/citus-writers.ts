import { type Engine, EVERYTHING } from '@proj/engine';
import { until } from '@proj/test-servers';
import { Client } from 'pg';

import { bodyOf } from '../open.ts';

/** The accounts that amounts are moved between, and what they have together. */
export const ACCOUNTS = `
  create table accounts (id int primary key, amount int not null);
  select create_distributed_table('accounts', 'id', shard_count => 8);
  insert into accounts select n, 100 from generate_series(1, 100) as n;`;
const SUM = 10_000;

/** The name of the sessions of writers. */
export const WRITER = 'writer of amounts';

/** Writing that goes on until it is stopped. */
export interface Writing {
  readonly stop: () => Promise<void>;
}

/**
 * Moves amounts between rows of a table, which may be on two servers.
 *
 * @param reads how often they were read: the next time is waited for after each move. Default:
 *   amounts are moved without a pause
 */
export function keepSum(client: Client, table: string, reads?: () => number): Writing {
  const stopping = new AbortController();
  const moving = move(client, { table, reads, signal: stopping.signal });
  return {
    stop: async () => {
      stopping.abort();
      await moving;
    },
  };
}

/** The same by several connections of their own, to servers of one cluster. */
export function keepSums(urls: readonly string[], reads?: () => number): Writing {
  const writing = urls.map(async (connectionString) => {
    const client = new Client({ connectionString, application_name: WRITER });
    client.on('error', () => undefined);
    await client.connect();
    return { client, ...keepSum(client, 'accounts', reads) };
  });
  return {
    stop: async () => {
      for (const writer of await Promise.all(writing)) {
        await writer.stop();
        await writer.client.end().catch(() => undefined);
      }
    },
  };
}

interface Moves {
  readonly table: string;
  readonly reads: (() => number) | undefined;
  readonly signal: AbortSignal;
}

async function move(client: Client, { table, reads, signal }: Moves): Promise<void> {
  for (let id = 1; !signal.aborted; id = (id % 49) + 1) {
    const before = reads?.() ?? 0;
    try {
      await client.query('begin');
      await client.query(`update ${table} set amount = amount - 1 where id = $1`, [id]);
      await client.query(`update ${table} set amount = amount + 1 where id = $1`, [id + 50]);
      await client.query('commit');
    } catch {
      // Two writers may meet, or a shard is being moved.
      await client.query('rollback').catch(() => undefined);
    }
    await until(() => signal.aborted || reads === undefined || reads() > before);
  }
}

/** What a read of all accounts found: their sum with their total, or the code of the error. */
export async function readAccounts(engine: Engine): Promise<string> {
  const query = bodyOf({ model: 'accounts', attributes: ['id', 'amount'], size: 1000 });
  try {
    const { result, page } = await engine.query(query, EVERYTHING);
    const records = JSON.parse(result) as readonly { readonly amount: number }[];
    return `${records.reduce((sum, { amount }) => sum + amount, 0)} of ${page.total}`;
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error);
  }
}

/** What reads find of all accounts in one state. */
export const RIGHT = `${SUM} of 100`;
