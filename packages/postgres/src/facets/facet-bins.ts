import { type Clauses, Facets, sqlBlock, type WireType } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { encode } from '../values/encode.ts';
import { comparable } from '../values/operands.ts';

type Expression = RawBuilder<unknown>;

const VALUE = sql.id('x');
const [BIN, COUNT, SUM] = [sql.id('b'), sql.id('n'), sql.id('s')];

/** What values are compared with their bounds as. */
const COMPARED: Partial<Record<WireType, string>> = {
  int32: 'int8',
  int64: 'int8',
  decimal: 'numeric',
  float64: 'float8',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamp_tz: 'timestamptz',
};

/** The facet in one row; the columns are those of `FACET_COLUMNS`. */
export function selectBins(facet: Clauses['bins']): Expression {
  const { field, bounds, isAdded, groups: name } = facet;
  const type = comparedType(field.type);
  const typed = bounds.map((bound) => sql`${bound}::${type}`);
  const lower = sql`array[${sql.join(typed.slice(0, -1))}]`;
  const bin = sqlBlock`
    case
      when ${VALUE} between ${typed[0]} and ${typed.at(-1)} then width_bucket(${VALUE}, ${lower})
      when ${VALUE} is null then null
      else 0
    end`;
  const groups = sqlBlock`
    select
      ${bin} as ${BIN},
      count(*) as ${COUNT}${isAdded ? sql`, ${sumOf(facet)} as ${SUM}` : sql``}
    from (select ${comparedValue(facet)} as ${VALUE} ${Facets.recordsOf(facet)}) as ${sql.id('v')}
    group by 1`;
  const counts = sql`json_agg(json_build_array(${BIN}, ${COUNT}::text)) filter (where ${BIN} > 0)`;
  const columns = Facets.facetColumns({
    found: sql`coalesce(${counts}, '[]')::text`,
    nulls: sql`coalesce(sum(${COUNT}) filter (where ${BIN} is null), 0)::text`,
    others: sql`coalesce(sum(${COUNT}) filter (where ${BIN} = 0), 0)::text`,
    total: sql`coalesce(sum(${COUNT}), 0)::text`,
    min: extremeWithOthers(sql`min`, facet),
    max: extremeWithOthers(sql`max`, facet),
    ...(isAdded && {
      sum: field.type === 'float64' ? sql`coalesce(sum(${SUM}), 0)::text` : sql`sum(${SUM})::text`,
      numbers: sql`coalesce(sum(${COUNT}) filter (where ${BIN} is not null), 0)::text`,
    }),
  });
  return sql`with ${name} as (${groups}) select ${columns} from ${name}`;
}

/** A quotient that is no double fails; what is that small beside others changes no sum. */
function sumOf({ field, divisor }: Clauses['bins']): Expression {
  if (field.type !== 'float64') return sql`sum(${VALUE})`;
  const by = sql`${divisor}::float8`;
  return sql`sum(case when ${by} = 1 or abs(${VALUE}) >= 1 then ${VALUE} / ${by} end)`;
}

/** Aggregates of each group would take a tenth of the time, and the bounds are the ends. */
function extremeWithOthers(aggregate: Expression, facet: Clauses['bins']): Expression {
  const extreme = encode(sql`${aggregate}(${comparedValue(facet)})`, facet.field);
  return sqlBlock`
    case when bool_or(${BIN} = 0) then (select ${extreme} ${Facets.recordsOf(facet)}) end`;
}

/** The least and the greatest value that have a place among numbers, in one row. */
export function selectRange(facet: Clauses['bins']): Expression {
  const { column, field } = facet;
  // An index serves the column as it is.
  const value = comparable(column, field);
  const extreme = (aggregate: Expression): Expression =>
    encode(sql`${aggregate}(${value})::${comparedType(field.type)}`, field);
  return sqlBlock`
    select ${extreme(sql`min`)} as ${sql.id('min')}, ${extreme(sql`max`)} as ${sql.id('max')}
    ${Facets.recordsOf(facet, finite(comparedValue(facet), facet))}`;
}

function comparedType(type: WireType): Expression {
  const compared = COMPARED[type];
  if (compared === undefined) throw new Error(`${type} has no bins.`);
  return sql.raw(compared);
}

function comparedValue({ column, field }: Clauses['bins']): Expression {
  return sql`${comparable(column, field)}::${comparedType(field.type)}`;
}

/** Undefined where all values of a type have such a place. NaN is larger than infinity. */
function finite(value: Expression, { field }: Clauses['bins']): Expression | undefined {
  const { type, extremes } = field;
  const sqlType = comparedType(type);
  if (type === 'float64' || extremes.includes('infinity'))
    return sql`${value} > '-infinity'::${sqlType} and ${value} < 'infinity'::${sqlType}`;
  return extremes.includes('not_a_number') ? sql`${value} < 'NaN'::${sqlType}` : undefined;
}
