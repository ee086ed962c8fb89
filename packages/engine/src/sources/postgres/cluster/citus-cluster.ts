import { QueryFailedError } from '../../../errors.ts';
import type { ReadCall } from '../../read-call.ts';
import type { Cluster, Cut } from '../connection/cut.ts';
import type { Row } from '../connection/connection.ts';
import type { Database } from '../connection/database.ts';
import { NoCommonStateError } from '../connection/errors.ts';
import { CLUSTER_SERVERS, HAS_PREPARED, SERVER_STATE } from '../states/cluster-state.ts';
import { DISTRIBUTED_TABLES } from '../states/distributed-tables.ts';

/** What was found of a cluster: what tables are distributed, and over which servers. */
export interface ClusterFacts {
  /** As {@link DISTRIBUTED_TABLES} has it. */
  readonly tables: string;
  /** As {@link CLUSTER_SERVERS} has it. */
  readonly servers: string;
  /** The group of the server that was asked. */
  readonly ownGroup: string;
}

/** How the servers of a cluster are reached. */
export interface ClusterAccess {
  /** Opens connections to another server than the one that is read. */
  readonly open: (address: string) => Promise<Database>;
  /** The address of a server by that which the cluster knows it by, where it is another one. */
  readonly addresses?: Readonly<Record<string, string>> | undefined;
}

/**
 * Finds states that all servers of a Citus cluster have in common, without any right: no server has
 * changed between two looks, the snapshots were taken in between, and behind them nothing is
 * prepared that another server may have committed. Under many writers there is none.
 */
export class CitusCluster implements Cluster {
  readonly #own: Database;
  readonly #access: ClusterAccess;
  readonly #others = new Map<string, Database>();
  #facts: ClusterFacts = { tables: '', servers: '', ownGroup: '' };

  /** @param own connections to the server that is read, which no read of a cut waits for */
  constructor(own: Database, access: ClusterAccess) {
    this.#own = own;
    this.#access = access;
  }

  /**
   * Takes in what was found, and connects to the servers.
   *
   * @returns which of them does not answer, as a sentence; undefined where all do
   */
  async learn(facts: ClusterFacts): Promise<string | undefined> {
    const addresses = addressesOf(facts, this.#access.addresses);
    for (const [address, database] of this.#others)
      if (!addresses.includes(address)) {
        this.#others.delete(address);
        void database.close();
      }
    this.#facts = facts;
    for (const address of addresses)
      try {
        if (!this.#others.has(address)) this.#others.set(address, await this.#access.open(address));
      } catch (error) {
        const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
        return `Its server ${address} cannot be read (cluster.addresses): ${reason}.`;
      }
    return undefined;
  }

  async lookForCut(call: ReadCall): Promise<Cut> {
    const before = await this.#states(call);
    return {
      confirm: async () => {
        // First, since what is resolved afterwards changes the state.
        if (await this.#hasPrepared(call))
          throw new NoCommonStateError('Transactions of the cluster are prepared.');
        const after = await this.#states(call);
        if (after.some((state, index) => state !== before[index]))
          throw new NoCommonStateError('The servers of the cluster were written to meanwhile.');
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#own, ...this.#others.values()].map((database) => database.close()));
  }

  /** The state of each server. */
  async #states(call: ReadCall): Promise<string[]> {
    const { tables, servers } = this.#facts;
    const own = ask(this.#own, [SERVER_STATE, DISTRIBUTED_TABLES, CLUSTER_SERVERS], call);
    const others = [...this.#others.values()].map((database) =>
      ask(database, [SERVER_STATE], call),
    );
    const [[state, ...found], ...states] = await Promise.all([own, ...others]);
    if (found[0] !== tables || found[1] !== servers)
      throw new QueryFailedError('schema_changed', 'The cluster is another one than it was.');
    return [state ?? '', ...states.map(([text]) => text ?? '')];
  }

  async #hasPrepared(call: ReadCall): Promise<boolean> {
    const databases = [this.#own, ...this.#others.values()];
    const found = await Promise.all(
      databases.map((database) => ask(database, [`(${HAS_PREPARED})::text`], call)),
    );
    return found.some(([has]) => has === 'true');
  }
}

function ask(database: Database, texts: readonly string[], call: ReadCall): Promise<Row> {
  const statement = { sql: `select ${texts.join(', ')}`, parameters: [] };
  return database.ask({ statement, named: true }, { ...call, session: undefined });
}

/** The addresses of the other servers. */
function addressesOf(
  { servers, ownGroup }: ClusterFacts,
  known: ClusterAccess['addresses'] = {},
): string[] {
  const others = servers.split(',').filter((server) => !server.startsWith(`${ownGroup} `));
  return others.map((server) => {
    const [, name = '', port = ''] = server.split(' ');
    const address = `${name}:${port}`;
    return known[address] ?? address;
  });
}
