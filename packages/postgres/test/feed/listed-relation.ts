import type { Attribute, Condition, FollowedOrder, OrderTerm } from '@proj/engine/following';

import type { Row } from '../../src/connection/connection.ts';
import type { SessionStatement } from '../../src/connection/session.ts';
import { RelationLog } from '../../src/feed/changes/relation-log.ts';
import { TransactionSnapshot } from '../../src/log/snapshot.ts';
import { type ListedRelation, OrderedLists } from '../../src/feed/lists/ordered-lists.ts';
import { SeenMoment } from '../../src/feed/lists/seen-moment.ts';

export const SNAPSHOT = TransactionSnapshot.parse('12:12:');

export const COLUMNS = ['low', 'id'].map((name) => ({ name, type: 'bigint', isStable: true }));

export function relationOf(
  token: string,
  key: readonly string[] = ['id'],
  facts: Partial<ListedRelation> = {},
): ListedRelation {
  return {
    path: ['public', 'rows'],
    token,
    key: key.map((name) => ({
      name,
      type: 'bigint',
      equals: 'operator(pg_catalog.=)',
      isLeakproof: true,
    })),
    isSeekable: true,
    columns: COLUMNS,
    shown: undefined,
    hasOwnTypes: false,
    log: new RelationLog(0n),
    stamp: { sql: 'stamp', parameters: [] },
    describes: () => true,
    ...facts,
  };
}

/** An order by columns of integers, of which those with a minus go down. */
export function orderBy(columns: readonly string[], facts: Partial<OrderTerm> = {}): FollowedOrder {
  const terms = columns.map((name) => {
    const column = name.replace('-', '');
    const direction = name.startsWith('-') ? ('desc' as const) : ('asc' as const);
    const field = { name: column, column, type: 'int64', databaseType: 'bigint' } as const;
    const term = { column, direction, nulls: 'last', nullable: false, ...facts } as const;
    return { term, field: { ...field, items: undefined } };
  });
  return { key: columns.join(), condition: undefined, terms };
}

/** What is known without a base snapshot. Default of `ask`: nothing is asked. */
export function momentOf(
  relation: ListedRelation,
  ordered = new OrderedLists(),
  ask?: (statement: SessionStatement) => Promise<Row>,
): SeenMoment {
  return new SeenMoment({
    relation,
    snapshot: SNAPSHOT,
    version: '1',
    ordered,
    filtered: undefined,
    ask,
  });
}

/** A condition of its own on `low`. */
export function below(limit: bigint): Condition {
  const attribute = {
    name: 'low',
    column: 'low',
    type: 'int64',
    databaseType: 'bigint',
  } as Attribute;
  return { attribute, op: 'lt', values: [limit] };
}
