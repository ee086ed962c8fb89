import { until } from '@proj/test-servers';
import { Client } from 'pg';

/** How many sessions write, each to rows of its own. */
const WRITERS = 6;

/** How many rows come and go for each of them. */
const ROWS = 20;

/** The table that the writers change. */
export const RESTLESS_TABLE = `
  create table restless (id int primary key, n float8 not null);
  insert into restless select id, 0 from generate_series(1, ${ROWS * WRITERS}) as id`;

/** How long writers go on, and how often others have read meanwhile. */
interface Course {
  readonly signal: AbortSignal;
  readonly reads: () => number;
}

/**
 * Writes to a server from several sessions at once, with savepoints and rollbacks, until the signal
 * aborts or the server is gone. Each pauses for some reads of others.
 */
export async function writeRestlessly(url: string, course: Course): Promise<void> {
  await Promise.all(
    Array.from({ length: WRITERS }, (_, writer) => writeAlone(url, writer, course)),
  );
}

async function writeAlone(url: string, writer: number, { signal, reads }: Course): Promise<void> {
  const pause = async (most: number): Promise<void> => {
    const last = reads() + Math.floor(Math.random() * (most + 1));
    await until(() => signal.aborted || reads() >= last);
  };
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    while (!signal.aborted) {
      // Transactions end in another order than they began in.
      for (const statement of anyTransaction(writer)) await client.query(statement);
      await pause(4);
      await client.query(Math.random() < 0.2 ? 'rollback' : 'commit');
      await pause(30);
    }
  } catch (error) {
    // The server may be halted under its writers.
    if (!signal.aborted && !isGone(error)) throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function anyTransaction(writer: number): string[] {
  const id = Math.ceil(Math.random() * ROWS) * WRITERS - writer;
  return [
    'begin',
    `delete from restless where id = ${id}`,
    'savepoint a',
    `insert into restless values (${id}, -1)`,
    'rollback to a',
    'savepoint b',
    `insert into restless values (${id}, random())`,
    'release b',
  ];
}

function isGone(error: unknown): boolean {
  return error instanceof Error && /terminat|ECONN|shut|starting up|57P/.test(String(error));
}
