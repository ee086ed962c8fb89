import { type RawBuilder, sql } from 'kysely';

import type { SelectedRecords } from '../../sql/dialect.ts';
import { sqlBlock } from '../text/sql-block.ts';

type Expression = RawBuilder<unknown>;

/**
 * The JSON texts of several lists in one row. The limit keeps PostgreSQL from computing each anew
 * wherever it is named.
 *
 * @param textOf selects the JSON text of the records that a statement selects as `c0`, `c1` …
 */
export function selectInOneRow(
  lists: readonly SelectedRecords[],
  textOf: (fields: SelectedRecords['fields'], rows: Expression) => Expression,
  { maxBytes, others = [] }: { maxBytes: number; others?: readonly Expression[] },
): Expression {
  const names = lists.map((_, index) => sql.id(`j${index}`));
  const texts = lists.map(({ fields, columns, rest, when }, index) => {
    const named = columns.map((column, place) => sql`${column} as ${sql.id(`c${place}`)}`);
    const text = sql`(${textOf(fields, sql`select ${sql.join(named)} ${rest}`)})`;
    const found = when === undefined ? text : sql`case when ${when} then ${text} end`;
    return sql`${found} as ${names[index]}`;
  });
  const lengths = names.map((name) => sql`coalesce(octet_length(${name}), 0)`);
  const fits = sql.id('fits');
  const shown = names.map((name) => sql`case when ${fits} then ${name} end`);
  return sqlBlock`
    select ${sql.join([...shown, ...others])}
    from (
      select *, ${sql.join(lengths, sql` + `)} <= ${sql.lit(maxBytes)} as ${fits}
      from (select ${sql.join(texts)} limit 1) as ${sql.id('r')}
    ) as ${sql.id('f')}`;
}
