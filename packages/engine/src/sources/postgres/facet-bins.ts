import type { WireType } from '@proj/contract';
import { type RawBuilder, sql } from 'kysely';

import { type BinsClauses, recordsOf } from '../../sql/facet-clauses.ts';
import { floatSums } from '../facets/float-sum.ts';
import { facetColumns } from '../facets/one-row.ts';
import { sqlBlock } from '../sql-block.ts';
import { encode } from './encode.ts';
import { comparable } from './operands.ts';

type Expression = RawBuilder<unknown>;

const VALUE = sql.id('x');
const [BIN, COUNT, SUM, LARGE_SUM] = [sql.id('b'), sql.id('n'), sql.id('s'), sql.id('l')];
const [LEAST, GREATEST] = [sql.id('lo'), sql.id('hi')];
const BINS = sql.id('g');

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
export function selectBins(facet: BinsClauses): Expression {
  const { field, bounds, isAdded } = facet;
  const type = comparedType(field.type);
  const typed = bounds.map((bound) => sql`${bound}::${type}`);
  const lower = sql`array[${sql.join(typed.slice(0, -1))}]`;
  const bin = sqlBlock`
    case
      when ${VALUE} is null then null
      when ${VALUE} between ${typed[0]} and ${typed.at(-1)} then width_bucket(${VALUE}, ${lower})
      else 0
    end`;
  const sums = isAdded ? sumsOf(field.type) : undefined;
  const groups = sqlBlock`
    select
      ${bin} as ${BIN},
      count(*) as ${COUNT},
      min(${VALUE}) as ${LEAST},
      max(${VALUE}) as ${GREATEST}${sums?.columns ?? sql``}
    from (select ${comparedValue(facet)} as ${VALUE} ${recordsOf(facet)}) as ${sql.id('v')}
    group by 1`;
  const counts = sql`json_agg(json_build_array(${BIN}, ${COUNT}::text)) filter (where ${BIN} > 0)`;
  const columns = facetColumns({
    found: sql`coalesce(${counts}, '[]')::text`,
    nulls: sql`coalesce(sum(${COUNT}) filter (where ${BIN} is null), 0)::text`,
    others: sql`coalesce(sum(${COUNT}) filter (where ${BIN} = 0), 0)::text`,
    total: sql`coalesce(sum(${COUNT}), 0)::text`,
    min: encode(sql`min(${LEAST})`, field),
    max: encode(sql`max(${GREATEST})`, field),
    ...(sums && {
      sum: sums.sum,
      numbers: sql`coalesce(sum(${COUNT}) filter (where ${BIN} is not null), 0)::text`,
    }),
  });
  return sql`with ${BINS} as (${groups}) select ${columns} from ${BINS}`;
}

/** The columns of each bin that make the sum, beginning with a comma, and the sum. */
interface Sums {
  readonly columns: Expression;
  readonly sum: Expression;
}

function sumsOf(type: WireType): Sums {
  if (type !== 'float64')
    return { columns: sql`, sum(${VALUE}) as ${SUM}`, sum: sql`sum(${SUM})::text` };
  const [small, large] = floatSums(VALUE);
  return {
    columns: sql`, ${small} as ${SUM}, ${large} as ${LARGE_SUM}`,
    sum: sql`${totalOf(SUM)} || ' ' || ${totalOf(LARGE_SUM)}`,
  };
}

function totalOf(column: Expression): Expression {
  return sql`coalesce(sum(${column}), 0)::text`;
}

/** The least and the greatest value that have a place among numbers, in one row. */
export function selectRange(facet: BinsClauses): Expression {
  const { field } = facet;
  const value = comparedValue(facet);
  return sqlBlock`
    select
      ${encode(sql`min(${value})`, field)} as ${sql.id('min')},
      ${encode(sql`max(${value})`, field)} as ${sql.id('max')}
    ${recordsOf(facet, finite(value, facet))}`;
}

function comparedType(type: WireType): Expression {
  const compared = COMPARED[type];
  if (compared === undefined) throw new Error(`${type} has no bins.`);
  return sql.raw(compared);
}

function comparedValue({ column, field }: BinsClauses): Expression {
  return sql`${comparable(column, field)}::${comparedType(field.type)}`;
}

/** Undefined where all values of a type have such a place. NaN is larger than infinity. */
function finite(value: Expression, { field }: BinsClauses): Expression | undefined {
  const { type, extremes } = field;
  const sqlType = comparedType(type);
  if (type === 'float64' || extremes.includes('infinity'))
    return sql`${value} > '-infinity'::${sqlType} and ${value} < 'infinity'::${sqlType}`;
  return extremes.includes('not_a_number') ? sql`${value} < 'NaN'::${sqlType}` : undefined;
}
