import type { WireType } from '@proj/contract';
import { type RawBuilder, sql } from 'kysely';

import { type BinsClauses, recordsOf } from '../../sql/facet-clauses.ts';
import { binOf } from '../facets/bin-tree.ts';
import { facetColumns } from '../facets/one-row.ts';
import { sqlBlock } from '../sql-block.ts';
import { callFunction } from './call-function.ts';
import { comparedDate, isDate } from './dates.ts';
import { encode, encodeComparedDate } from './encode.ts';
import { asNumber, isNumber } from './facet-numbers.ts';
import { SUM_FUNCTION } from './functions.ts';

type Expression = RawBuilder<unknown>;

/** A value as it is compared, and as it is stored. */
const [VALUE, STORED] = [sql.id('x'), sql.id('v')];
const [BIN, COUNT] = [sql.id('b'), sql.id('n')];
const [LEAST, GREATEST] = [sql.id('lo'), sql.id('hi')];
const [HIGH, LOW, REST, NUMBERS] = [sql.id('h'), sql.id('l'), sql.id('r'), sql.id('k')];
const BINS = sql.id('g');

/** The facet in one row; the columns are those of `FACET_COLUMNS`. */
export function selectBins(facet: BinsClauses): Expression {
  const { field, bounds, isAdded } = facet;
  const sums = isAdded ? sumsOf(field.type) : undefined;
  const groups = sqlBlock`
    select
      ${binOf(VALUE, bounds)} as ${BIN},
      count(*) as ${COUNT},
      min(${VALUE}) as ${LEAST},
      max(${VALUE}) as ${GREATEST}${sums?.columns ?? sql``}
    from ${valuesOf(facet)}
    group by 1`;
  const pair = sql`json_array(${BIN}, cast(${COUNT} as text))`;
  const columns = facetColumns({
    found: sql`(select json_group_array(${pair}) from ${BINS} where ${BIN} > 0)`,
    nulls: sql`coalesce(sum(${COUNT}) filter (where ${BIN} is null), 0)`,
    others: sql`coalesce(sum(${COUNT}) filter (where ${BIN} = 0), 0)`,
    total: sql`coalesce(sum(${COUNT}), 0)`,
    min: sql`json_array(${shown(sql`min(${LEAST})`, facet)})`,
    max: sql`json_array(${shown(sql`max(${GREATEST})`, facet)})`,
    ...(sums && { sum: sums.sum, numbers: sums.numbers }),
  });
  return sql`with ${BINS} as materialized (${groups}) select ${columns} from ${BINS}`;
}

/** The least and the greatest value that have a place among numbers, in one row. */
export function selectRange(facet: BinsClauses): Expression {
  return sqlBlock`
    select
      json_array(${shown(sql`min(${VALUE})`, facet)}) as ${sql.id('min')},
      json_array(${shown(sql`max(${VALUE})`, facet)}) as ${sql.id('max')}
    from ${valuesOf(facet)}
    where ${finite(facet.field.type)}`;
}

/** The limit keeps SQLite from computing a form of dates again wherever it occurs. */
function valuesOf(facet: BinsClauses): Expression {
  const { column, field } = facet;
  const { type, storedAs } = field;
  if (storedAs !== undefined) {
    const value = comparedDate(column, { type, storedAs });
    return sql`(select ${value} as ${VALUE} ${recordsOf(facet)} limit -1)`;
  }
  const value = type === 'decimal' ? asNumber(column) : column;
  return sql`(select ${value} as ${VALUE}, ${column} as ${STORED} ${recordsOf(facet)})`;
}

function shown(value: Expression, { field }: BinsClauses): Expression {
  return field.storedAs === undefined
    ? encode(value, field)
    : encodeComparedDate(value, field.type);
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
  return sql`${isNumber(VALUE)} and ${VALUE} between ${least} and ${greatest}`;
}

/** What the sum of values is made of. */
interface Sums {
  /** Columns of each bin, beginning with a comma. */
  readonly columns: Expression;
  /** The sum, or a JSON text of what adds up to it: see `readSum`. */
  readonly sum: Expression;
  readonly numbers: Expression;
}

/**
 * The sum of whole numbers in halves, which never overflow; others are added by their decimal
 * digits.
 */
function sumsOf(type: WireType): Sums {
  const numbers = sql`sum(${NUMBERS})`;
  const counted = sql`sum(${isNumber(VALUE)}) as ${NUMBERS}`;
  if (type === 'float64')
    return {
      columns: sql`, ${counted}, total(${VALUE}) filter (where ${isNumber(VALUE)}) as ${REST}`,
      sum: callFunction('decimal', sql`total(${REST})`),
      numbers,
    };
  const isWhole = sql`typeof(${STORED}) = 'integer'`;
  const rest = sql`${sql.raw(SUM_FUNCTION)}(${STORED})`;
  return {
    columns: sql`,
      ${counted},
      sum(case when ${isWhole} then ${STORED} >> 32 end) as ${HIGH},
      sum(case when ${isWhole} then ${STORED} & 4294967295 end) as ${LOW},
      ${rest} filter (where ${isNumber(VALUE)} and not ${isWhole}) as ${REST}`,
    sum: sqlBlock`
      json_array(
        cast(coalesce(sum(${HIGH}), 0) as text),
        cast(coalesce(sum(${LOW}), 0) as text),
        json_group_array(${REST}) filter (where ${REST} is not null)
      )`,
    numbers,
  };
}
