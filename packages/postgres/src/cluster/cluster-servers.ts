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

export interface LockBounds {
  /** Milliseconds without a state before locks are taken. */
  readonly starvingMs: number;
  /** Milliseconds in which reads take snapshots under the same locks. */
  readonly snapshotsMs: number;
  /** Writers are held for at most 1/n of the time. */
  readonly partsOfTime: number;
}

export interface ClusterAccess {
  readonly cut: 'auto' | 'validated' | 'locked';
  /** @param versions those of the reads that have part in it */
  readonly open: (address: string, versions: Versions) => Promise<Database>;
  /** By the address that the cluster uses, where ours differs. */
  readonly addresses?: Readonly<Record<string, string>> | undefined;
  /** Processes that each look for states. Default: 1. */
  readonly processes?: number | undefined;
  /** Default: those of {@link LockedCuts}. */
  readonly bounds?: LockBounds | undefined;
}

const COMPARISON = { timeoutMs: 5000 };

export interface ServerStates {
  readonly cluster: string;
  /** One a server; the one that is read first. */
  readonly states: readonly string[];
  /** A sentence for each server with prepared transactions, asked after its state. */
  readonly prepared: readonly string[];
}

const OWN_NAME = 'of `database`';

/** Connections that no read of a cut waits for. */
export class ClusterServers {
  readonly #own: Database;
  readonly #access: ClusterAccess;
  readonly #others = new Map<string, Database>();
  #facts: ClusterFacts = { tables: '', servers: '', ownGroup: '' };
  #addresses: readonly (readonly [group: number, address: string])[] = [];
  /** The servers at the addresses, which the cluster reaches too. */
  #instances: ReadonlyMap<Database, string> = new Map();

  constructor(own: Database, access: ClusterAccess) {
    this.#own = own;
    this.#access = access;
  }

  get hasTables(): boolean {
    return this.#facts.tables !== '';
  }

  /** By their groups, so that everybody locks the same one first. */
  get all(): readonly { readonly name: string; readonly database: Database }[] {
    const own = { group: Number(this.#facts.ownGroup), name: OWN_NAME, database: this.#own };
    const others = this.#addresses.flatMap(([group, name]) => {
      const database = this.#others.get(name);
      return database === undefined ? [] : { group, name, database };
    });
    return [own, ...others].toSorted((one, other) => one.group - other.group);
  }

  /** @returns a sentence about servers that do not answer, or that the cluster does not reach */
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
        if (!this.#others.has(address))
          this.#others.set(address, await this.#access.open(address, this.#own.versions));
      } catch (error) {
        return `Its server ${address} cannot be read (cluster.addresses): ${reasonOf(error)}.`;
      }
    try {
      return await Deadlines.withDeadline(COMPARISON, (call) => this.#compare(call));
    } catch (error) {
      return `Its servers cannot be compared with those that it reaches: ${reasonOf(error)}.`;
    }
  }

  /** Whether the addresses lead to the servers that the cluster itself reaches. */
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

  /** Rights missing to lock records of transactions, a sentence for each server. */
  missingRights(call: ReadCall): Promise<string[]> {
    const table = `to_regclass('${TRANSACTION_RECORDS}')`;
    const texts = [
      'quote_ident(current_user)',
      `has_table_privilege(${table}, '${LOCKING_RIGHTS}')::text`,
    ];
    return this.#ofEach(texts, call, (name, [role, may]) =>
      may === 'true'
        ? []
        : [`On its server ${name}: grant truncate on table ${TRANSACTION_RECORDS} to ${role};`],
    );
  }

  /** Servers with transactions left prepared, a sentence each. */
  leftPrepared(call: ReadCall): Promise<string[]> {
    return this.#ofEach([LEFT_PREPARED], call, (name, [gids]) => preparedOn(name, gids));
  }

  async #ofEach(
    texts: readonly string[],
    call: ReadCall,
    sentences: (name: string, answer: Row) => string[],
  ): Promise<string[]> {
    const found = this.all.map(async ({ name, database }) =>
      sentences(name, await ask(database, texts, call)),
    );
    return (await Promise.all(found)).flat();
  }

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

  /** @throws {QueryFailedError} `schema_changed` where it is another server than was compared */
  async #lookAt(database: Database, looked: readonly string[], call: ReadCall): Promise<Row> {
    const row = await ask(database, looked, call);
    const instance = row[0]?.slice(0, row[0].lastIndexOf(' '));
    if (instance !== this.#instances.get(database))
      throw new QueryFailedError('schema_changed', 'A server of the cluster is another one.');
    return row;
  }

  async close(): Promise<void> {
    await Promise.all([this.#own, ...this.#others.values()].map((database) => database.close()));
  }
}

function ask(database: Database, texts: readonly string[], call: ReadCall): Promise<Row> {
  const statement = { sql: `select ${texts.join(', ')}`, parameters: [], named: true };
  return database.ask(statement, { ...call, session: undefined });
}

function preparedOn(name: string | undefined, gids: string | null | undefined): string[] {
  return typeof gids === 'string' ? [`On its server ${name}: ${gids}.`] : [];
}

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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
