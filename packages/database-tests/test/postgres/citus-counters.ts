import { until } from '@proj/test-servers';
import { Client } from 'pg';

/** Counters that are counted up through all servers of a cluster, each by a writer of its own. */
export interface Counting {
  /** What of each counter is committed at least, by now. */
  readonly committed: () => readonly number[];
  /** Does something while nobody counts. */
  readonly pause: (work: () => Promise<unknown>) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Between two commits of one writer, so that some requests meet no commit. */
const READS_BETWEEN = 8;

/**
 * Counts up so many counters of the table `counters`, from what they are.
 *
 * @param reads how often they were read
 */
export async function countUp(
  servers: readonly string[],
  counters: number,
  reads: () => number,
): Promise<Counting> {
  const committed = Array.from({ length: counters }, () => 0);
  const stopping = new AbortController();
  let pausing: Promise<void> = Promise.resolve();
  const busy = new Set<Promise<unknown>>();
  const writers = committed.map(async (_, index) => {
    const client = new Client({ connectionString: servers[index % servers.length] });
    client.on('error', () => undefined);
    await client.connect();
    while (!stopping.signal.aborted) {
      await pausing;
      const counted = count(client, index + 1);
      busy.add(counted);
      committed[index] = (await counted) ?? committed[index] ?? 0;
      busy.delete(counted);
      const next = reads() + READS_BETWEEN;
      await until(() => stopping.signal.aborted || reads() >= next);
    }
    await client.end();
  });
  return {
    committed: () => [...committed],
    pause: async (work) => {
      const paused = Promise.withResolvers<void>();
      pausing = paused.promise;
      await Promise.all(busy);
      await work().catch(() => undefined);
      paused.resolve();
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(writers);
    },
  };
}

/** What the counter is then; undefined where its shard is being moved. */
async function count(client: Client, id: number): Promise<number | undefined> {
  const sql = 'update counters set count = count + 1 where id = $1 returning count';
  const counted = await client.query<{ count: number }>(sql, [id]).catch(() => undefined);
  return counted?.rows[0]?.count;
}

/**
 * Moves shards of a table from one worker to another and back, until it is stopped.
 *
 * @param reads how often it was read
 */
export function moveShards(
  client: Client,
  table: string,
  reads: () => number,
): { readonly moves: () => number; readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  let moves = 0;
  const moving = (async () => {
    for (; !stopping.signal.aborted; moves++) {
      await client.query(MOVE, [table]);
      const next = reads() + READS_BETWEEN;
      await until(() => stopping.signal.aborted || reads() >= next);
    }
  })();
  return {
    moves: () => moves,
    stop: async () => {
      stopping.abort();
      await moving;
    },
  };
}

/** The first shard goes to a worker that does not have it. */
const MOVE = `
  select citus_move_shard_placement(
    s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport, 'block_writes'
  )
  from (
    select * from citus_shards where table_name = $1::regclass order by shardid limit 1
  ) s
  join pg_dist_node n on n.noderole = 'primary' and n.shouldhaveshards and n.nodeport <> s.nodeport
  limit 1`;
