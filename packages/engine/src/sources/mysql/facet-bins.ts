import type { WireType } from '@proj/contract';
import { type RawBuilder, sql } from 'kysely';

import { type BinsClauses, recordsOf } from '../../sql/facet-clauses.ts';
import { binOf } from '../facets/bin-tree.ts';
import { floatSums } from '../facets/float-sum.ts';
import { sqlBlock } from '../sql-block.ts';
import { decimalScaleOf } from './decimal-scale.ts';
import type { FacetRow } from './facet-rows.ts';
import { comparable } from './operands.ts';

type Expression = RawBuilder<unknown>;

const VALUE = sql.id('x');
const [BIN, COUNT, SUM, LARGE_SUM] = [sql.id('b'), sql.id('n'), sql.id('s'), sql.id('l')];
const [LEAST, GREATEST] = [sql.id('lo'), sql.id('hi')];

/** A row for each bin that has a record, and for NULL and what is in no bin. */
export function selectBins(facet: BinsClauses): FacetRow & { readonly rest: Expression } {
  const bounds = facet.bounds.map((bound) => boundOf(bound, facet));
  const sums = facet.isAdded ? sumsOf(facet.field.type) : undefined;
  const value = comparable(facet.column, facet.field);
  const groups = sqlBlock`
    select
      ${binOf(VALUE, bounds)} as ${BIN},
      count(*) as ${COUNT},
      min(${VALUE}) as ${LEAST},
      max(${VALUE}) as ${GREATEST}${sums?.columns ?? sql``}
    from (select ${value} as ${VALUE} ${recordsOf(facet)}) as ${sql.id('v')}
    group by 1`;
  const others = (condition: Expression): Expression =>
    sql`sum(case when ${condition} then ${COUNT} else 0 end) over ()`;
  return {
    columns: {
      bin: BIN,
      size: COUNT,
      nulls: others(sql`${BIN} is null`),
      total: sql`sum(${COUNT}) over ()`,
      ...(sums && {
        sum: sums.sum,
        numbers: others(sql`${BIN} is not null`),
      }),
    },
    values: {
      value: sql`null`,
      min: sql`min(${LEAST}) over ()`,
      max: sql`max(${GREATEST}) over ()`,
    },
    rest: sql`from (${groups}) as ${sql.id('p')}`,
  };
}

/** The columns of each bin that make the sum, beginning with a comma, and the sum. */
interface Sums {
  readonly columns: Expression;
  readonly sum: Expression;
}

function sumsOf(type: WireType): Sums {
  if (type !== 'float64')
    return {
      columns: sql`, sum(${VALUE}) as ${SUM}`,
      sum: sql`cast(sum(${SUM}) over () as char)`,
    };
  const [small, large] = floatSums(VALUE);
  return {
    columns: sql`, ${small} as ${SUM}, ${large} as ${LARGE_SUM}`,
    sum: sql`concat(${totalOf(SUM)}, ' ', ${totalOf(LARGE_SUM)})`,
  };
}

function totalOf(column: Expression): Expression {
  return sql`coalesce(sum(${column}) over (), 0)`;
}

/** The least and the greatest value that have a place among numbers, in one row. */
export function selectRange(facet: BinsClauses): FacetRow & { readonly rest: Expression } {
  const value = comparable(facet.column, facet.field);
  return {
    columns: {},
    values: { value: sql`null`, min: sql`min(${value})`, max: sql`max(${value})` },
    rest: recordsOf(facet, isDay(facet)),
  };
}

/** Days without a year stand for no date. */
function isDay({ column, field }: BinsClauses): Expression | undefined {
  const isDated = ['date', 'timestamp', 'timestamp_tz'].includes(field.type);
  return isDated ? sql`${column} >= cast('0001-01-01' as date)` : undefined;
}

/** A bound is cast to the kind of the column, as the values of filters are. */
function boundOf(bound: Expression, { field }: BinsClauses): Expression {
  const { type, databaseType } = field;
  switch (type) {
    case 'int32':
    case 'int64':
      return databaseType.includes('unsigned')
        ? sql`cast(${bound} as unsigned)`
        : sql`cast(${bound} as signed)`;
    case 'decimal':
      return sql`cast(${bound} as decimal(65, ${sql.lit(decimalScaleOf(field))}))`;
    case 'date':
      return sql`cast(${bound} as date)`;
    case 'time':
      return sql`cast(${bound} as time(6))`;
    case 'float64':
      return bound;
    default:
      return sql`cast(${bound} as datetime(6))`;
  }
}
