import { type RawBuilder, sql } from 'kysely';

import type { BinsClauses } from '../../sql/facet-clauses.ts';
import { binOf } from '../facets/bin-tree.ts';
import { facetColumns } from '../facets/one-row.ts';
import { sqlBlock } from '../sql-block.ts';
import { BIN, BINS, COUNT, GREATEST, LEAST, shown, VALUE, valuesOf } from './binned-values.ts';
import { sumsOf } from './facet-sums.ts';

type Expression = RawBuilder<unknown>;

const ADDED = sql.id('a');

/** The sum of 2^32 such numbers does not overflow. */
const SMALL = sql.lit(2n ** 31n);

/**
 * Bins of whole numbers, in one row; the columns are those of `FACET_COLUMNS`. Of the time of the
 * general statement half went to the aggregates of each group. So this one has only those that
 * small integers need: their least and greatest are the bounds, and their sum cannot overflow.
 * Where a column holds anything else, another scan reads what that changes, all of it in `sum`: see
 * `wholeCells`.
 */
export function selectWholeBins(facet: BinsClauses): Expression {
  const { bounds } = facet;
  const [least, greatest] = [bounds[0], bounds.at(-1)];
  const areSmall = sql`${least} > -${SMALL} and ${greatest} < ${SMALL}`;
  const groups = sqlBlock`
    select
      ${binOf(VALUE, bounds)} as ${BIN},
      count(*) as ${COUNT},
      sum(${VALUE}) filter (where ${areSmall}) as ${ADDED}
    from ${valuesOf(facet)}
    group by 1`;
  const isOther = sql`${BIN} = 0 or typeof(${ADDED}) <> 'integer'`;
  const hasOthers = sql`count(*) filter (where ${isOther} and ${BIN} is not null) > 0`;
  const sum = sqlBlock`
    case when ${hasOthers} then (${others(facet)}) else cast(sum(${ADDED}) as text) end`;
  const pair = sql`json_array(${BIN}, cast(${COUNT} as text))`;
  const columns = facetColumns({
    found: sql`(select json_group_array(${pair}) from ${BINS} where ${BIN} > 0)`,
    nulls: sql`coalesce(sum(${COUNT}) filter (where ${BIN} is null), 0)`,
    others: sql`coalesce(sum(${COUNT}) filter (where ${BIN} = 0), 0)`,
    total: sql`coalesce(sum(${COUNT}), 0)`,
    min: inList(least, facet),
    max: inList(greatest, facet),
    sum,
    numbers: sql`coalesce(sum(${COUNT}) filter (where ${BIN} > 0), 0)`,
  });
  return sql`with ${BINS} as materialized (${groups}) select ${columns} from ${BINS}`;
}

/** A JSON text of four texts: sum, how many numbers are added, the least and the greatest value. */
function others(facet: BinsClauses): Expression {
  const { columns, sum, numbers } = sumsOf(facet.field.type);
  const [min, max] = [shown(LEAST, facet), shown(GREATEST, facet)].map(
    (value) => sql`json_array(${value}) || ''`,
  );
  return sqlBlock`
    select json_array(${sum} || '', cast(${numbers} as text), ${min}, ${max})
    from (
      select min(${VALUE}) as ${LEAST}, max(${VALUE}) as ${GREATEST}${columns}
      from ${valuesOf(facet)}
    )`;
}

function inList(bound: Expression | undefined, facet: BinsClauses): Expression {
  return sql`(select json_array(${shown(VALUE, facet)}) from (select ${bound} as ${VALUE}))`;
}
