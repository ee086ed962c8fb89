import { type Clauses, Facets, type Field, sqlBlock } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { castTo, comparable, decimalScaleOf } from '../values/operands.ts';
import type { FacetRow } from './facet-rows.ts';
import { sumsOf } from './facet-sums.ts';

type Expression = RawBuilder<unknown>;

const VALUE = sql.id('x');
const [BIN, COUNT] = [sql.id('b'), sql.id('n')];

/** A row for each bin that has a record, and for NULL and what is in no bin. */
export function selectBins(facet: Clauses['bins']): FacetRow & { readonly rest: Expression } {
  const { column, field, isAdded } = facet;
  const { columns, sum } = sumsOf(facet, VALUE);
  const { bin, bounds } = field.type === 'float64' ? binOfDoubles(facet) : binOfOthers(facet);
  const groups = sqlBlock`
    select
      ${bin} as ${BIN},
      count(*) as ${COUNT}${columns}
    from (
      select ${comparable(column, field)} as ${VALUE} ${Facets.recordsOf(facet)}
    ) as ${sql.id('v')}
    ${bounds}
    group by 1`;
  const others = (condition: Expression): Expression =>
    sql`sum(case when ${condition} then ${COUNT} else 0 end) over ()`;
  return {
    columns: {
      bin: BIN,
      size: COUNT,
      nulls: others(sql`${BIN} is null`),
      total: sql`sum(${COUNT}) over ()`,
      ...(isAdded && {
        sum,
        numbers: others(sql`${BIN} is not null`),
      }),
    },
    values: {
      value: sql`null`,
      min: extremeWithOthers(sql`min`, facet),
      max: extremeWithOthers(sql`max`, facet),
    },
    rest: sql`from (${groups}) as ${sql.id('p')}`,
  };
}

/** In which bin a value is, and where the bounds come from, if not from the bin itself. */
interface Binning {
  readonly bin: Expression;
  readonly bounds: Expression;
}

/** `interval` compares doubles, in half the time of a `case`; it takes what has no value for -1. */
function binOfDoubles({ bounds }: Clauses['bins']): Binning {
  const lower = sql.join(bounds.slice(0, -1));
  return { bin: sql`nullif(interval(${VALUE}, ${lower}), -1)`, bounds: sql`` };
}

/** The bounds are cast in a table of one row: elsewhere they would be cast for each value. */
function binOfOthers(facet: Clauses['bins']): Binning {
  const names = facet.bounds.map((_, index) => sql.id('k', `k${index}`));
  const columns = facet.bounds.map(
    (bound, index) => sql`${boundOf(bound, facet)} as ${sql.id(`k${index}`)}`,
  );
  const bounds = sql`cross join (select ${sql.join(columns)}) as ${sql.id('k')}`;
  return { bin: Facets.binOf(VALUE, names), bounds };
}

/** Of the types of this database only dates have values in no bin. */
function extremeWithOthers(aggregate: Expression, facet: Clauses['bins']): Expression {
  if (isDay(facet) === undefined) return sql`null`;
  const extreme = sql`${aggregate}(${comparable(facet.column, facet.field)})`;
  const hasOthers = sql`sum(case when ${BIN} = 0 then ${COUNT} else 0 end) over () > 0`;
  return sql`case when ${hasOthers} then (select ${extreme} ${Facets.recordsOf(facet)}) end`;
}

/** The least and the greatest value that have a place among numbers, in one row. */
export function selectRange(facet: Clauses['bins']): FacetRow & { readonly rest: Expression } {
  const value = comparable(facet.column, facet.field);
  return {
    columns: {},
    values: { value: sql`null`, min: sql`min(${value})`, max: sql`max(${value})` },
    rest: Facets.recordsOf(facet, isDay(facet)),
  };
}

/** Days without a year stand for no date. */
function isDay({ column, field }: Clauses['bins']): Expression | undefined {
  const isDated = ['date', 'timestamp', 'timestamp_tz'].includes(field.type);
  return isDated ? sql`${column} >= cast('0001-01-01' as date)` : undefined;
}

/** A bound is cast to the kind of the column, as the values of filters are. */
function boundOf(bound: Expression, { field }: Clauses['bins']): Expression {
  return castTo(bound, typeOfBound(field));
}

function typeOfBound(field: Field): string {
  const { type, databaseType } = field;
  switch (type) {
    case 'int32':
    case 'int64':
      return databaseType.includes('unsigned') ? 'unsigned' : 'signed';
    case 'decimal':
      return `decimal(65, ${decimalScaleOf(field)})`;
    case 'date':
      return 'date';
    case 'time':
      return 'time(6)';
    default:
      return 'datetime(6)';
  }
}
