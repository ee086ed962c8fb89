import type { FeedFacts, RelationFacts } from './facts.ts';
import { isPublished, MANY_ROWS, obstacleTo } from './followable.ts';

/** What the replica identity of followed relations brings, or would bring and cost. */
export function identityNotes({ relations, publication }: FeedFacts): string[] {
  if (publication === null) return [];
  const followed = relations.filter(
    (relation) => obstacleTo(relation) === undefined && isPublished(relation),
  );
  const full = followed.filter(isFull);
  const others = followed.filter(
    (relation) => !isFull(relation) && relation.estimatedRows >= MANY_ROWS,
  );
  return [
    ...(full.length > 0 ? [`${namesOf(full)}: ${BROUGHT}`] : []),
    ...(others.length > 0 ? [`${namesOf(others)}: ${PRICE}`] : []),
  ];
}

const BROUGHT =
  'REPLICA IDENTITY FULL, so that filtered lists and lists in other orders are followed too.';

/** Of one statement on one row, as measured: see docs/how-to/follow-changes.md. */
const PRICE =
  'filtered lists are counted again after each change. REPLICA IDENTITY FULL on a table would ' +
  'have them followed, and lists in other orders; each UPDATE and DELETE then writes the whole ' +
  'old row to the log, 1.4 to 6 times the WAL of such a statement by the width of the row. An ' +
  'option for single tables that are filtered more often than updated.';

function isFull({ tables }: RelationFacts): boolean {
  return tables.every(({ kind, identity }) => kind === 'partitioned' || identity === 'full');
}

function namesOf(relations: readonly RelationFacts[]): string {
  return relations.map(({ name }) => name).join(', ');
}
