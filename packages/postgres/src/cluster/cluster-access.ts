import type { Pools, SourceSettings } from '@proj/engine/database';

import { Connector, type SessionRules } from '../connection/connect.ts';
import { Database } from '../connection/database.ts';
import { readPostgresUrl } from '../connection/url.ts';
import type { ClusterAccess } from './cluster-servers.ts';

/** By what the other servers of a cluster are reached. */
export interface AccessTerms {
  readonly settings: NonNullable<SourceSettings['cluster']> | undefined;
  readonly sessionRules: SessionRules;
  readonly limits: Pools.PoolLimits;
  readonly processes?: number | undefined;
}

/**
 * Reaches the other servers of a cluster with what the URL of one says besides its address.
 * Undefined where no state of several servers is to be looked for.
 */
export function clusterAccess(
  url: string,
  { settings: { cut = 'auto', addresses } = {}, sessionRules, limits, processes }: AccessTerms,
): ClusterAccess | undefined {
  if (cut === 'none') return undefined;
  return {
    cut,
    addresses,
    processes,
    open: (address, versions) => {
      const other = new URL(url);
      other.host = address;
      const connector = new Connector(readPostgresUrl(other.href), sessionRules);
      return Database.open(connector, limits, versions);
    },
  };
}
