import { type Clauses, Facets, sqlBlock, type WireType } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { BIN, binCounts, COUNT, shown, VALUE, valuesOf } from './binned-values.ts';
import { isDate } from '../values/dates.ts';
import { sumsOf } from './facet-sums.ts';
import { selectNumberBins } from './facet-number-bins.ts';

type Expression = RawBuilder<unknown>;

/** The facet in one row; the columns are those of `FACET_COLUMNS`. */
export function selectBins(facet: Clauses['bins']): Expression {
  return ['int32', 'int64', 'float64'].includes(facet.field.type)
    ? selectNumberBins(facet)
    : selectAnyBins(facet);
}

function selectAnyBins(facet: Clauses['bins']): Expression {
  const { bounds, isAdded, groups: name } = facet;
  const sums = isAdded ? sumsOf(facet) : undefined;
  const groups = sqlBlock`
    select
      ${Facets.binOf(VALUE, bounds)} as ${BIN},
      count(*) as ${COUNT}${sums?.columns ?? sql``}
    from ${valuesOf(facet)}
    group by 1`;
  const columns = Facets.facetColumns({
    ...binCounts(facet),
    min: extremeWithOthers(sql`min`, facet),
    max: extremeWithOthers(sql`max`, facet),
    ...(sums && { sum: sums.sum, numbers: sums.numbers }),
  });
  return sql`with ${name} as materialized (${groups}) select ${columns} from ${name}`;
}

function extremeWithOthers(aggregate: Expression, facet: Clauses['bins']): Expression {
  const extreme = shown(sql`${aggregate}(${VALUE})`, facet);
  return sqlBlock`
    case
      when count(*) filter (where ${BIN} = 0) > 0
      then (select json_array(${extreme}) from ${valuesOf(facet)})
    end`;
}

/** The least and the greatest value that have a place among numbers, in one row. */
export function selectRange(facet: Clauses['bins']): Expression {
  return sqlBlock`
    select
      json_array(${shown(sql`min(${VALUE})`, facet)}) as ${sql.id('min')},
      json_array(${shown(sql`max(${VALUE})`, facet)}) as ${sql.id('max')}
    from ${valuesOf(facet)}
    where ${finite(facet.field.type)}`;
}

/** Texts and blobs are larger than all numbers. */
function finite(type: WireType): Expression {
  switch (type) {
    case 'date':
    case 'timestamp':
    case 'timestamp_tz':
      return isDate(VALUE);
    case 'time':
      return sql`${VALUE} glob '[0-2][0-9]:[0-5][0-9]:[0-5][0-9]*'`;
    case 'int32':
    case 'int64':
      return isNumberBetween(sql.lit(-(2n ** 63n)), sql.lit(2n ** 63n - 1n));
    default: {
      const largest = sql.raw(String(Number.MAX_VALUE));
      return isNumberBetween(sql`-${largest}`, largest);
    }
  }
}

function isNumberBetween(least: Expression, greatest: Expression): Expression {
  // Without the affinity of its column a text is larger than every number, and a blob too.
  return sql`+${VALUE} between ${least} and ${greatest}`;
}
