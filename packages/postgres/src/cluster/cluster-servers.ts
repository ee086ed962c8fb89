import { Deadlines, QueryFailedError, type ReadCall, type Versions } from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import type { Database } from '../connection/database.ts';
import type { ClusterFacts } from '../introspection/distributed-relations.ts';
import {
  CLUSTER_INSTANCES,
  CLUSTER_SERVERS,
  DISTRIBUTED_TABLES,
  LEFT_PREPARED,
  LOCKING_RIGHTS,
  PREPARED,
  SERVER_STATE,
  TRANSACTION_RECORDS,
} from '../states/cluster-state.ts';
import { INSTANCE } from '../states/version.ts';

/** What may be taken from writers. */
export interface LockBounds {
  /** Reads find no state without locks for so many milliseconds before any are taken. */
  readonly starvingMs: number;
  /** Reads have so many milliseconds to take their snapshots under the same locks. */
  readonly snapshotsMs: number;
  /** Writers are held for one part of so many of the time at most. */
  readonly partsOfTime: number;
}

/** How the servers of a cluster are reached. */
export interface ClusterAccess {
  /** How states are found that all servers have in common. */
  readonly cut: 'auto' | 'validated' | 'locked';
  /**
   * Opens connections to another server than the one that is read.
   *
   * @param versions those of the reads that have part in it
   */
  readonly open: (address: string, versions: Versions) => Promise<Database>;
  /** The address of a server by that which the cluster knows it by, where it is another one. */
  readonly addresses?: Readonly<Record<string, string>> | undefined;
  /** How many processes look for states, each for itself. Default: 1. */
  readonly processes?: number | undefined;
  /** What may be taken from writers. Default: those of {@link LockedCuts}. */
  readonly bounds?: LockBounds | undefined;
}

/** The servers are compared with those that the cluster reaches for so long at most. */
const COMPARISON = { timeoutMs: 5000 };

/** A server of a cluster. */
interface ClusterServer {
  readonly name: string;
  readonly database: Database;
}

/** What all servers of a cluster show. */
export interface ServerStates {
  /** What is known of the cluster, as a text. */
  readonly cluster: string;
  /** Of each server, that which is read first. */
  readonly states: readonly string[];
  /** Who has prepared transactions, and which, found out after its state: a sentence for each. */
  readonly prepared: readonly string[];
}

/** The name by which problems call the server that `database` leads to. */
const OWN_NAME = 'of `database`';

/** Connections to all servers of a cluster, which no read of a cut waits for. */
export class ClusterServers {
  readonly #own: Database;
  readonly #access: ClusterAccess;
  readonly #others = new Map<string, Database>();
  #facts: ClusterFacts = { tables: '', servers: '', ownGroup: '' };
  /** The addresses of the others, by their groups. */
  #addresses: readonly (readonly [group: number, address: string])[] = [];
  /** Which servers were found at the addresses: those that the cluster reaches, too. */
  #instances: ReadonlyMap<Database, string> = new Map();

  constructor(own: Database, access: ClusterAccess) {
    this.#own = own;
    this.#access = access;
  }

  /** Whether any table is distributed. */
  get hasTables(): boolean {
    return this.#facts.tables !== '';
  }

  /** By their groups, so that all who lock them begin with the same one. */
  get all(): readonly ClusterServer[] {
    const own = { group: Number(this.#facts.ownGroup), name: OWN_NAME, database: this.#own };
    const others = this.#addresses.flatMap(([group, name]) => {
      const database = this.#others.get(name);
      return database === undefined ? [] : { group, name, database };
    });
    return [own, ...others].toSorted((one, other) => one.group - other.group);
  }

  /**
   * Takes in what was found, and connects to the servers.
   *
   * @returns which of them does not answer, or is not the one that the cluster reaches, as a
   *   sentence; undefined where all are as they should be
   */
  async learn(facts: ClusterFacts): Promise<string | undefined> {
    this.#facts = facts;
    this.#addresses = addressesOf(facts, this.#access.addresses);
    const addresses = this.#addresses.map(([, address]) => address);
    for (const [address, database] of this.#others)
      if (!addresses.includes(address)) {
        this.#others.delete(address);
        void database.close();
      }
    for (const address of addresses)
      try {
        if (!this.#others.has(address)) this.#others.set(address, await this.#open(address));
      } catch (error) {
        return `Its server ${address} cannot be read (cluster.addresses): ${reasonOf(error)}.`;
      }
    try {
      return await Deadlines.withDeadline(COMPARISON, (call) => this.#compare(call));
    } catch (error) {
      return `Its servers cannot be compared with those that it reaches: ${reasonOf(error)}.`;
    }
  }

  /** Finds out whether the addresses lead to the servers that the cluster itself reaches. */
  async #compare(call: ReadCall): Promise<string | undefined> {
    const [reached] = await ask(this.#own, [CLUSTER_INSTANCES], call);
    const byGroup = JSON.parse(reached ?? '{}') as Record<string, string>;
    const instances = new Map<Database, string>();
    for (const [group, address] of this.#addresses) {
      const database = this.#others.get(address);
      if (database === undefined) continue;
      const [instance] = await ask(database, [INSTANCE], call);
      if (instance === undefined || instance === null || byGroup[group] !== instance)
        return (
          `The address ${address} does not lead to the server that the cluster reaches as ` +
          `group ${group} (cluster.addresses).`
        );
      instances.set(database, instance);
    }
    this.#instances = instances;
    return undefined;
  }

  /** What the right to lock records of transactions lacks, a sentence for each server. */
  async missingRights(call: ReadCall): Promise<string[]> {
    const table = `to_regclass('${TRANSACTION_RECORDS}')`;
    const texts = [
      'quote_ident(current_user)',
      `has_table_privilege(${table}, '${LOCKING_RIGHTS}')::text`,
    ];
    const found = await Promise.all(
      this.all.map(async ({ name, database }) => {
        const [role, may] = await ask(database, texts, call);
        return may === 'true'
          ? []
          : `On its server ${name}: grant truncate on table ${TRANSACTION_RECORDS} to ${role};`;
      }),
    );
    return found.flat();
  }

  /** Who has transactions that were left prepared, a sentence for each server. */
  async leftPrepared(call: ReadCall): Promise<string[]> {
    const found = await Promise.all(
      this.all.map(async ({ name, database }) => {
        const [gids] = await ask(database, [LEFT_PREPARED], call);
        return preparedOn(name, gids);
      }),
    );
    return found.flat();
  }

  #open(address: string): Promise<Database> {
    return this.#access.open(address, this.#own.versions);
  }

  /** Looks at all servers, which are in the same order each time. */
  async look(call: ReadCall): Promise<ServerStates> {
    const { tables, servers } = this.#facts;
    const looked = [SERVER_STATE, PREPARED];
    const own = ask(this.#own, [...looked, DISTRIBUTED_TABLES, CLUSTER_SERVERS], call);
    const others = [...this.#others.values()].map((database) =>
      this.#lookAt(database, looked, call),
    );
    const all = await Promise.all([own, ...others]);
    const [[, , ...found]] = all;
    if (found[0] !== tables || found[1] !== servers)
      throw new QueryFailedError('schema_changed', 'The cluster is another one than it was.');
    const names = [OWN_NAME, ...this.#others.keys()];
    return {
      cluster: `${tables}|${servers}`,
      states: all.map(([state]) => state ?? ''),
      prepared: all.flatMap(([, gids], place) => preparedOn(names[place], gids)),
    };
  }

  /** @throws {QueryFailedError} `schema_changed` where it is another one than was compared */
  async #lookAt(database: Database, looked: readonly string[], call: ReadCall): Promise<Row> {
    const row = await ask(database, looked, call);
    if (instanceOf(row[0]) !== this.#instances.get(database))
      throw new QueryFailedError('schema_changed', 'A server of the cluster is another one.');
    return row;
  }

  async close(): Promise<void> {
    await Promise.all([this.#own, ...this.#others.values()].map((database) => database.close()));
  }
}

/** Asks a server as the service. */
function ask(database: Database, texts: readonly string[], call: ReadCall): Promise<Row> {
  const statement = { sql: `select ${texts.join(', ')}`, parameters: [] };
  return database.ask({ statement, named: true }, { ...call, session: undefined });
}

function preparedOn(name: string | undefined, gids: string | null | undefined): string[] {
  return typeof gids === 'string' ? [`On its server ${name}: ${gids}.`] : [];
}

/** The groups and addresses of the other servers. */
function addressesOf(
  { servers, ownGroup }: ClusterFacts,
  known: ClusterAccess['addresses'] = {},
): (readonly [group: number, address: string])[] {
  const all = servers === '' ? [] : servers.split(',');
  const others = all.filter((server) => !server.startsWith(`${ownGroup} `));
  return others.map((server) => {
    const [group, name = '', port = ''] = server.split(' ');
    const address = `${name}:${port}`;
    return [Number(group), known[address] ?? address] as const;
  });
}

/** The part of a state that says which server has it. */
function instanceOf(state: string | null | undefined): string | undefined {
  return state?.slice(0, state.lastIndexOf(' '));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
