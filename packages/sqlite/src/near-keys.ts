import {
  compile,
  type Relation,
  sqlBlock,
  type Statement,
  STORED_TYPES,
} from '@proj/engine/database';
import { sql } from 'kysely';

import { sqliteDialect } from './dialect.ts';
import type { ReadText } from './stored-forms.ts';

/**
 * The relations, and of those that are ordered by their rowid because SQLite lets their primary key
 * be NULL, whether it is NULL anywhere. A key of dates is none in any case.
 */
export async function withNearKeys(
  relations: readonly Relation[],
  read: ReadText,
): Promise<Relation[]> {
  return Promise.all(
    relations.map(async (relation) => {
      const { nearKey, columns } = relation;
      const ofDates = columns.filter(({ type }) => STORED_TYPES.has(type));
      if (nearKey === undefined || ofDates.some(({ name }) => nearKey.columns.includes(name)))
        return relation;
      const holdsNull = await read(nullStatement(relation, nearKey));
      return holdsNull === undefined
        ? relation
        : { ...relation, nearKey: { ...nearKey, holdsNull: holdsNull === 'true' } };
    }),
  );
}

function nullStatement(
  { path }: Relation,
  { columns }: NonNullable<Relation['nearKey']>,
): Statement {
  const isNull = columns.map((column) => sql`${sql.id(column)} is null`);
  const statement = sqlBlock`
    select iif(exists (
      select 1
      from ${sql.id(...path)}
      where ${sql.join(isNull, sql` or `)}
    ), 'true', 'false')`;
  return compile(statement, sqliteDialect);
}
