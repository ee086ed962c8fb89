import { withDeadline } from '../../../../engine/src/deadline.ts';
import { openCluster } from '../../../../postgres/src/cluster/open-cluster.ts';
import { Connector } from '../../../../postgres/src/connection/connect.ts';
import { Database } from '../../../../postgres/src/connection/database.ts';
import { readPostgresUrl } from '../../../../postgres/src/connection/url.ts';
import { SERVER_LIMITS } from '../../../../engine/src/sources/pools/pool-limits.ts';

/**
 * A process of its own that looks for a state of two servers and never confirms it.
 *
 * @param url the server that is read
 * @param address the other server
 * @param snapshotsMs for how long it may hold transactions
 * @param facts what was found of the cluster, as JSON
 */
const [url = '', address = '', snapshotsMs = '', facts = ''] = process.argv.slice(2);
const sessionRules = { pooler: 'none', queryTimeoutMs: 10_000 } as const;
const database = await Database.open(
  new Connector(readPostgresUrl(url), sessionRules),
  SERVER_LIMITS,
);
const bounds = { starvingMs: 0, snapshotsMs: Number(snapshotsMs), partsOfTime: 1 };
const cluster = openCluster(database, {
  url,
  cut: 'locked',
  addresses: { 'worker:5432': address },
  sessionRules,
  limits: SERVER_LIMITS,
  bounds,
});
await cluster.learn(JSON.parse(facts));
await withDeadline({ timeoutMs: 60_000 }, (call) => cluster.lookForCut(call));
console.log('held');
