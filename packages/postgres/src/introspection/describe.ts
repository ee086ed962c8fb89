import type { Relation, SessionRole, Statement } from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import type { Distribution } from '../connection/distribution.ts';
import type { ServerFinding } from '../connection/server-proof.ts';
import { type RelationProofs, withoutSnapshots } from '../versions/relation-proofs.ts';
import {
  distributedRelations,
  distributedTables,
  KNOWS_CITUS,
  withCutVersions,
  withPlaces,
} from './distributed-relations.ts';
import { relationsOf } from './introspect.ts';
import { introspection, Readers } from './introspection.ts';
import { callerRules, policingOf, policyFacts, policyTables, withRoles } from './policy-facts.ts';
import { viewFacts, withViewFacts } from './view-facts.ts';

interface Described {
  readonly ask: (statement: Statement) => Promise<Row>;
  /** Learns which relations have rows on several servers. */
  readonly distribution: Distribution;
  readonly server: ServerFinding;
  readonly proofs: RelationProofs | undefined;
  /** Why no common state of a cluster's servers can be read; undefined where one can. */
  readonly learnCluster: (places: Row) => Promise<string | undefined>;
}

/** What the service, and callers by these roles, may read. Each step adds what it queries. */
export async function describeRelations(
  sessions: readonly SessionRole[],
  { ask, distribution, server, proofs, learnCluster }: Described,
): Promise<Relation[]> {
  const names = sessions.map(({ role }) => role);
  const readers = new Readers(names);
  const all = relationsOf(await ask(introspection(readers)));
  const places = await ask(distributedRelations(await ask(KNOWS_CITUS)));
  distribution.learn(distributedTables(places));
  const placed = withPlaces(all, places, await learnCluster(places));
  const hasCallers = sessions.length > 0;
  const relations = hasCallers
    ? withRoles(placed, sessions, await ask(policyTables(names)))
    : placed;
  if (server.gap !== undefined) {
    const without = relations.map(withoutSnapshots);
    // A cut has versions only without a proxy.
    const mayCut = server.isCitus && proofs === undefined;
    return mayCut ? withCutVersions(without, places) : without;
  }
  const facts = await ask(viewFacts(readers));
  const policing = hasCallers ? policingOf(await ask(policyFacts(sessions))) : undefined;
  const callers = policing === undefined ? [] : callerRules(sessions, policing);
  const described = withViewFacts(relations, facts, callers);
  return proofs?.appliedTo(described, sessions) ?? described;
}
