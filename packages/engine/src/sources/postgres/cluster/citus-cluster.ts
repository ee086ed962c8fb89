import type { ReadCall } from '../../read-call.ts';
import type { Database } from '../connection/database.ts';
import type { Cluster, Cut } from '../connection/cut.ts';
import { type ClusterAccess, type ClusterFacts, ClusterServers } from './cluster-servers.ts';
import { beginStateCheck } from './common-state.ts';

/**
 * Finds states that all servers of a Citus cluster have in common, without any right: no server, or
 * only one, has changed between two looks, the snapshots were taken in between, and nothing is
 * prepared that another server may have committed. Under many writers there is none.
 */
export class CitusCluster implements Cluster {
  readonly #servers: ClusterServers;

  /** @param own connections to the server that is read, which no read of a cut waits for */
  constructor(own: Database, access: ClusterAccess) {
    this.#servers = new ClusterServers(own, access);
  }

  /**
   * Takes in what was found, and connects to the servers.
   *
   * @returns which of them does not answer, as a sentence; undefined where all do
   */
  learn(facts: ClusterFacts): Promise<string | undefined> {
    return this.#servers.learn(facts);
  }

  async lookForCut(call: ReadCall): Promise<Cut> {
    const check = await beginStateCheck(this.#servers, call);
    return { confirm: () => check(call) };
  }

  async close(): Promise<void> {
    await this.#servers.close();
  }
}
