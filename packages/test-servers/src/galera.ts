import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';

import { freePort } from './free-port.ts';
import { hasMariadb, type MariadbServer, startMariadb } from './mariadb.ts';
import { until } from './until.ts';

/** Where Debian, Red Hat and others put the library; `GALERA_PROVIDER` names another place. */
const PLACES = [
  '/usr/lib/galera/libgalera_smm.so',
  '/usr/lib/libgalera_smm.so',
  '/usr/lib64/galera-4/libgalera_smm.so',
  '/usr/lib64/galera/libgalera_smm.so',
];

const PROVIDER = [process.env['GALERA_PROVIDER'], ...PLACES].find(
  (place) => place !== undefined && existsSync(place),
);

/** A node is ready within a second or two, or never. */
const READY_MS = 30_000;
const MOST_TRIES = 4;

/** The nodes of a cluster, from the first one on. */
export type GaleraNodes = readonly [MariadbServer, MariadbServer, ...MariadbServer[]];

/** Which cluster is started. */
export interface GaleraOptions {
  /** Default: 2. */
  readonly nodes?: number;
  /** Options of mariadbd without their dashes, for all nodes. Default: none. */
  readonly settings?: readonly string[];
}

/** Whether {@link startGalera} finds what it needs. */
export async function hasGalera(): Promise<boolean> {
  return PROVIDER !== undefined && hasMariadb();
}

/**
 * Starts MariaDB servers that are nodes of one Galera cluster: what is written to one of them is
 * applied by the others, in several threads.
 */
export async function startGalera(options: GaleraOptions = {}): Promise<GaleraNodes> {
  if (PROVIDER === undefined)
    throw new Error('No Galera was found. Install it; on Debian: apt-get install galera-4');
  for (let left = MOST_TRIES; ; left--) {
    try {
      return await startCluster(options);
    } catch (error) {
      // Somebody else may have taken a port meanwhile, or a node has missed the other.
      if (left === 1) throw error;
    }
  }
}

async function startCluster({ nodes = 2, settings = [] }: GaleraOptions): Promise<GaleraNodes> {
  const cluster = randomUUID();
  const port = await freePort();
  const one = await startNode({ cluster, port, peers: '', appliedUpTo: 0, settings });
  const others: MariadbServer[] = [];
  const join = async (): Promise<MariadbServer> => {
    const other = { cluster, port: await freePort(), peers: `127.0.0.1:${port}`, settings };
    // Whoever has all before its own arrival needs no copy of the data, and the data of new servers
    // is the same. The arrivals of the nodes before it are numbered too.
    const committed = await one.client(`show status like 'wsrep_last_committed'`);
    const node = await startNode({ ...other, appliedUpTo: Number(/\d+$/.exec(committed)?.[0]) });
    others.push(node);
    return node;
  };
  try {
    const two = await join();
    while (others.length < nodes - 1) await join();
    return [one, two, ...others.slice(1)];
  } catch (error) {
    await Promise.all([one, ...others].map((node) => node.stop()));
    throw error;
  }
}

interface Node {
  readonly cluster: string;
  /** Where it hears the other nodes. */
  readonly port: number;
  /** The nodes that it joins; none for the first. */
  readonly peers: string;
  /** The number of the last change that its data has. */
  readonly appliedUpTo: number;
  readonly settings: readonly string[];
}

async function startNode({
  cluster,
  port,
  peers,
  appliedUpTo,
  settings,
}: Node): Promise<MariadbServer> {
  const node = await startMariadb({
    settings: [...settings, ...(await replication({ port, peers }))],
    files: { 'grastate.dat': stateFile(cluster, appliedUpTo) },
  });
  try {
    await until(
      async () => (await node.client(`show status like 'wsrep_ready'`)).endsWith('ON'),
      READY_MS,
    );
    return node;
  } catch (error) {
    await node.stop();
    throw error;
  }
}

async function replication({ port, peers }: Pick<Node, 'port' | 'peers'>): Promise<string[]> {
  const provider = [
    `base_host=127.0.0.1;base_port=${port}`,
    `gmcast.listen_addr=tcp://127.0.0.1:${port}`,
    `ist.recv_addr=127.0.0.1:${await freePort()}`,
    'gcache.size=8M;pc.recovery=no',
  ];
  return [
    'wsrep-on=on',
    `wsrep-provider=${PROVIDER}`,
    `wsrep-provider-options=${provider.join(';')}`,
    `wsrep-cluster-address=gcomm://${peers}`,
    'wsrep-node-address=127.0.0.1',
    'wsrep-sst-method=skip',
    'wsrep-slave-threads=4',
    'binlog-format=row',
    'innodb-autoinc-lock-mode=2',
  ];
}

/** What a node that was stopped leaves of where it was; the first one may begin a cluster. */
function stateFile(cluster: string, appliedUpTo: number): string {
  return `# GALERA saved state
version: 2.1
uuid:    ${cluster}
seqno:   ${appliedUpTo}
safe_to_bootstrap: ${appliedUpTo === 0 ? 1 : 0}
`;
}
