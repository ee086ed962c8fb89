import { type Clauses, Facets, type Field, sqlBlock } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import type { FacetRow } from './facet-rows.ts';
import { bytesOf } from '../values/operands.ts';

type Expression = RawBuilder<unknown>;

/** The value that a group is of, its place in the order, its least form, and its size. */
const [VALUE, PLACE, FORM, COUNT] = [sql.id('g'), sql.id('s'), sql.id('z'), sql.id('n')];

/** A page of a temporary table has room for so many characters. */
const LONGEST_IN_A_PAGE = 2000;

/** How values of a field are grouped. */
interface Grouping {
  /** Equal for values that `eq` finds equal, and for no others. */
  readonly value: Expression;
  /** What groups are sorted by, as an aggregate; default: their value. */
  readonly place?: Expression;
  /**
   * What decides how the value is shown, as an aggregate, where equal values have several forms.
   */
  readonly form?: Expression;
  /** The value of a group as the encoder of the field takes it. */
  readonly shown: (value: Expression) => Expression;
}

/**
 * A row for each value that is returned; each carries what is known of the whole facet. NULL comes
 * last, with a row of its own where the others leave it one.
 */
export function selectValues(facet: Clauses['values']): FacetRow & { readonly rest: Expression } {
  const { sort, limit, isSortable } = facet;
  const { value, place, form, shown } = groupingOf(facet);
  const groups = sqlBlock`
    select ${value} as ${VALUE}, ${place ?? sql`null`} as ${PLACE}, ${form ?? sql`null`} as ${FORM},
      count(*) as ${COUNT}
    ${Facets.recordsOf(facet)}
    group by 1`;
  const places = place === undefined ? [VALUE] : [PLACE, VALUE];
  const inOrder = (direction: 'asc' | 'desc'): Expression =>
    sql.join(places.map((column) => sql`${column} ${sql.raw(direction)}`));
  const first = (direction: 'asc' | 'desc'): Expression =>
    isLongText(facet.field)
      ? firstText(facet, direction)
      : sql`first_value(${VALUE}) over (order by ${VALUE} is null, ${inOrder(direction)})`;
  // MariaDB takes time by the square of the number of groups for `min(…) over ()`.
  const extreme = (direction: 'asc' | 'desc'): Expression =>
    isSortable ? shown(first(direction)) : sql`null`;
  const order = sort === 'count' ? sql`${COUNT} desc, ${inOrder('asc')}` : inOrder('asc');
  return {
    columns: {
      size: COUNT,
      distinct: sql`count(${VALUE}) over ()`,
      nulls: sql`sum(case when ${VALUE} is null then ${COUNT} else 0 end) over ()`,
      total: sql`sum(${COUNT}) over ()`,
      form: FORM,
    },
    values: { value: shown(VALUE), min: extreme('asc'), max: extreme('desc') },
    rest: sqlBlock`
      from (${groups}) as ${sql.id('p')}
      order by ${VALUE} is null, ${order}
      limit ${sql.lit(limit)}`,
  };
}

/**
 * Whether a value may take more than a page of the temporary table in which windows keep it. Where
 * `first_value` adds two more such values to its row, MariaDB writes past the end of a buffer, and
 * ends.
 */
export function isLongText({ type, databaseType }: Field): boolean {
  if (type !== 'text' || databaseType.startsWith('tinytext')) return false;
  const [, length] = /^(?:var)?char\((\d+)\)/.exec(databaseType) ?? [];
  return length === undefined || Number(length) > LONGEST_IN_A_PAGE;
}

/** The text that an order begins with, by another scan of the records. */
function firstText(facet: Clauses['values'], direction: 'asc' | 'desc'): Expression {
  const { column } = facet;
  const [word, bytes] = [sql.raw(direction), bytesOf(column)];
  return sqlBlock`(
    select ${bytes}
    ${Facets.recordsOf(facet, sql`${column} is not null`)}
    order by ${column} ${word}, ${bytes} ${word}
    limit 1
  )`;
}

function asText(value: Expression): Expression {
  return sql`convert(${value} using utf8mb4)`;
}

function asItIs(value: Expression): Expression {
  return value;
}

function groupingOf({ column, field }: Clauses['values']): Grouping {
  const { type, databaseType } = field;
  if (type === 'text') return { value: bytesOf(column), place: sql`min(${column})`, shown: asText };
  // Labels are sorted by their places.
  if (type === 'enum')
    return { value: bytesOf(column), place: sql`min(${column} + 0)`, shown: asText };
  if (type === 'float64')
    return {
      // Makes 0 of -0, which equals it and is the lesser text.
      value: sql`${column} + 0e0`,
      form: sql`min(case when ${column} = 0 then cast(${column} as char) end)`,
      shown: asItIs,
    };
  if (databaseType === 'bit(1)') return { value: sql`${column} + 0`, shown: asItIs };
  return { value: column, shown: asItIs };
}
