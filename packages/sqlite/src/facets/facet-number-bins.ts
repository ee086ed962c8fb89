import { type Clauses, Facets, sqlBlock } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { BIN, binCounts, COUNT, GREATEST, LEAST, shown, VALUE, valuesOf } from './binned-values.ts';
import { floatTotal, sumsOf } from './facet-sums.ts';

type Expression = RawBuilder<unknown>;

const [ADDED, HIGH, LOW] = [sql.id('a'), sql.id('h'), sql.id('l')];

/** The sum of 2^32 such numbers does not overflow. */
const SMALL = sql.lit(2n ** 31n);

/** How numbers are added that are of the attribute's type. */
interface QuickSum {
  /** Columns of each bin, beginning with a comma. */
  readonly columns: Expression;
  readonly sum: Expression;
  /** Whether a bin holds something that is added in another way. */
  readonly hasOther: Expression;
}

/**
 * Bins of whole and of floating point numbers, in one row; the columns are those of
 * `FACET_COLUMNS`. Of the time of the general statement half went to the aggregates of each group.
 * So this one has only those that numbers need. Where a column holds anything else, another scan
 * reads what that changes, all of it in `sum`: see `numberCells`.
 */
export function selectNumberBins(facet: Clauses['bins']): Expression {
  const { field, bounds, groups: name } = facet;
  const quick = field.type === 'float64' ? floatSum(facet) : wholeSum(facet);
  const groups = sqlBlock`
    select ${Facets.binOf(VALUE, bounds)} as ${BIN}, count(*) as ${COUNT}${quick.columns}
    from ${valuesOf(facet)}
    group by 1`;
  const isOther = sql`${BIN} = 0 or ${BIN} is not null and ${quick.hasOther}`;
  const hasOthers = sql`count(*) filter (where ${isOther}) > 0`;
  const columns = Facets.facetColumns({
    ...binCounts(facet),
    sum: sql`case when ${hasOthers} then (${others(facet)}) else ${quick.sum} end`,
    numbers: sql`coalesce(sum(${COUNT}) filter (where ${BIN} > 0), 0)`,
  });
  return sql`with ${name} as materialized (${groups}) select ${columns} from ${name}`;
}

/**
 * Numbers that may overflow are added in halves. Each is exact for a whole number, and the lower
 * one is a real for any other.
 */
function wholeSum({ bounds }: Clauses['bins']): QuickSum {
  const areSmall = sql`(${bounds[0]} > -${SMALL} and ${bounds.at(-1)} < ${SMALL})`;
  const high = sql`${VALUE} >> 32`;
  const [highs, lows] = [HIGH, LOW].map((half) => sql`cast(sum(${half}) as text)`);
  return {
    columns: sqlBlock`,
      sum(${VALUE}) filter (where ${areSmall}) as ${ADDED},
      sum(${high}) filter (where not ${areSmall}) as ${HIGH},
      sum(${VALUE} - ((${high}) << 32)) filter (where not ${areSmall}) as ${LOW}`,
    sum: sqlBlock`
      case
        when ${areSmall} then cast(sum(${ADDED}) as text)
        when not ${areSmall} then json_array(${highs}, ${lows})
      end`,
    hasOther: sql`typeof(coalesce(${ADDED}, ${LOW})) <> 'integer'`,
  };
}

/** Texts and blobs are larger than all numbers. */
function floatSum({ divisor }: Clauses['bins']): QuickSum {
  return {
    columns: sql`, total(${VALUE} / ${divisor}) as ${ADDED}, max(${VALUE}) as ${GREATEST}`,
    sum: floatTotal(ADDED),
    hasOther: sql`typeof(${GREATEST}) in ('text', 'blob')`,
  };
}

/** A JSON text of four texts: sum, how many numbers are added, the least and the greatest value. */
function others(facet: Clauses['bins']): Expression {
  const { columns, sum, numbers } = sumsOf(facet);
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
