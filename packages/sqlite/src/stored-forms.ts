import {
  type Column,
  compile,
  type Relation,
  sqlBlock,
  type Statement,
  STORED_TYPES,
} from '@proj/engine/database';
import { sql } from 'kysely';

import { sqliteDialect } from './dialect.ts';
import { callFunction } from './values/call-function.ts';
import { withoutNul } from './values/nul.ts';

/** So many rows of a table are looked at. */
const SAMPLE_ROWS = 100_000;

/** Runs a statement that finds one text; undefined where the database gives no answer. */
export type ReadText = (statement: Statement) => Promise<string | undefined>;

/** The relations, with the forms in which a sample of each column of dates stores them. */
export async function withStoredForms(
  relations: readonly Relation[],
  read: ReadText,
): Promise<Relation[]> {
  return Promise.all(
    relations.map(async (relation) => {
      const columns = relation.columns.map(async (column): Promise<Column> => {
        const json = STORED_TYPES.has(column.type)
          ? await read(sampleStatement(relation, column))
          : undefined;
        return json === undefined
          ? column
          : {
              ...column,
              storedForms: JSON.parse(json) as NonNullable<Column['storedForms']>[number][],
            };
      });
      return { ...relation, columns: await Promise.all(columns) };
    }),
  );
}

/** The forms of a column with how many rows have each, the most frequent first. */
function sampleStatement({ path }: Relation, { name }: Column): Statement {
  const statement = sqlBlock`
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
  return compile(statement, sqliteDialect);
}
