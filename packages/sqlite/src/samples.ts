import {
  type Column,
  compile,
  type Expression,
  type Relation,
  sqlBlock,
  type Statement,
  STORED_TYPES,
} from '@proj/engine/database';
import { sql } from 'kysely';

import { sqliteDialect } from './dialect.ts';
import { callFunction, withoutNul } from './values/functions.ts';

const SAMPLE_ROWS = 100_000;

type ReadText = (statement: Statement) => Promise<string | undefined>;

/** Adds the stored forms of sampled date columns, and whether nullable primary keys hold NULL. */
export function withSamples(relations: readonly Relation[], read: ReadText): Promise<Relation[]> {
  const ask = (statement: Expression): Promise<string | undefined> =>
    read(compile(statement, sqliteDialect));
  const sampled = async (relation: Relation, column: Column): Promise<Column> => {
    if (!STORED_TYPES.has(column.type)) return column;
    const json = await ask(storedForms(relation, column));
    return json === undefined
      ? column
      : { ...column, storedForms: JSON.parse(json) as NonNullable<Column['storedForms']> };
  };
  const near = async (relation: Relation): Promise<Pick<Relation, 'nearKey'>> => {
    const { nearKey, columns } = relation;
    const dates = columns.flatMap(({ name, type }) => (STORED_TYPES.has(type) ? name : []));
    if (nearKey === undefined || nearKey.columns.some((name) => dates.includes(name))) return {};
    const holdsNull = await ask(anyNull(relation, nearKey.columns));
    if (holdsNull === undefined) return {};
    return { nearKey: { ...nearKey, holdsNull: holdsNull === 'true' } };
  };
  return Promise.all(
    relations.map(async (relation) => ({
      ...relation,
      columns: await Promise.all(relation.columns.map((one) => sampled(relation, one))),
      ...(await near(relation)),
    })),
  );
}

function storedForms({ path }: Relation, { name }: Column): Expression {
  return sqlBlock`
    select json_group_array(json_object('form', form, 'rows', n))
    from (
      select ${callFunction('storedForm', withoutNul(sql.id('v')))} as form, count(*) as n
      from (
        select ${sql.id(name)} as v
        from ${sql.id(...path)}
        limit ${sql.lit(SAMPLE_ROWS)}
      )
      where v is not null
      group by 1
      order by 2 desc, 1
    )`;
}

function anyNull({ path }: Relation, columns: readonly string[]): Expression {
  const isNull = columns.map((column) => sql`${sql.id(column)} is null`);
  return sqlBlock`
    select iif(exists (
      select 1
      from ${sql.id(...path)}
      where ${sql.join(isNull, sql` or `)}
    ), 'true', 'false')`;
}
