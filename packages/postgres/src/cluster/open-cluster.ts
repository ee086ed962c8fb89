import type { Pools } from '@proj/engine/database';

import { Connector, type SessionRules } from '../connection/connect.ts';
import { Database } from '../connection/database.ts';
import { readPostgresUrl } from '../connection/url.ts';
import { CitusCluster } from './citus-cluster.ts';
import type { ClusterAccess } from './cluster-servers.ts';

export type { CitusCluster } from './citus-cluster.ts';

export interface ClusterTerms extends Omit<ClusterAccess, 'open'> {
  /** Of one server; the others differ in their address only. */
  readonly url: string;
  readonly sessionRules: SessionRules;
  readonly limits: Pools.PoolLimits;
}

/** @param own connections to the server that is read, which no read of a cut waits for */
export function openCluster(
  own: Database,
  { url, sessionRules, limits, ...access }: ClusterTerms,
): CitusCluster {
  return new CitusCluster(own, {
    ...access,
    open: (address, versions) => {
      const other = new URL(url);
      other.host = address;
      const connector = new Connector(readPostgresUrl(other.href), sessionRules);
      return Database.open(connector, limits, versions);
    },
  });
}
