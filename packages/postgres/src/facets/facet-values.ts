import { type Clauses, Facets, sqlBlock, type WireType } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { byteOfChar } from '../values/operands.ts';
import { encode } from '../values/encode.ts';
import { exact, isInexact } from '../values/text-comparison.ts';

type Expression = RawBuilder<unknown>;

/** The value that a group is of, its place in the order, what its least form needs, its size. */
const [VALUE, PLACE, FORM, COUNT] = [sql.id('s'), sql.id('o'), sql.id('z'), sql.id('n')];

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
  /** The JSON text of the value of a group; of equal values that of the least text. */
  readonly shown: Expression;
}

/** Types of which `min` and `max` find the values that an order begins and ends with. */
const WITH_EXTREMES: ReadonlySet<WireType> = new Set([
  'text',
  'int32',
  'int64',
  'decimal',
  'float64',
  'date',
  'time',
  'timestamp',
  'timestamp_tz',
]);

/** The facet in one row; the columns are those of `FACET_COLUMNS`. */
export function selectValues(facet: Clauses['values']): Expression {
  const { field, isSortable, groups: name } = facet;
  const { value, place, form, shown } = groupingOf(facet);
  const added = [
    ...(place === undefined ? [] : [sql`${place} as ${PLACE}`]),
    ...(form === undefined ? [] : [sql`${form} as ${FORM}`]),
  ];
  const selected = sql.join([sql`${value} as ${VALUE}`, ...added, sql`count(*) as ${COUNT}`]);
  const groups = sql`select ${selected} ${Facets.recordsOf(facet)} group by 1`;
  const isPlain = added.length === 0 && WITH_EXTREMES.has(field.type);
  const extreme = (direction: 'asc' | 'desc'): Expression => {
    if (!isSortable) return sql`null`;
    if (isPlain) return encode(sql`${MINMAX[direction]}(${VALUE})`, field);
    const order = orderOf(direction, place !== undefined);
    const notNull = sql`${name} where ${VALUE} is not null`;
    return sql`(select ${shown} from ${notNull} order by ${order} limit 1)`;
  };
  const columns = Facets.facetColumns({
    found: listOf(facet, shown, place !== undefined),
    distinct: sql`count(${VALUE})::text`,
    nulls: sql`coalesce(sum(${COUNT}) filter (where ${VALUE} is null), 0)::text`,
    total: sql`coalesce(sum(${COUNT}), 0)::text`,
    min: extreme('asc'),
    max: extreme('desc'),
  });
  return sql`with ${name} as (${groups}) select ${columns} from ${name}`;
}

const MINMAX = { asc: sql`min`, desc: sql`max` };

function orderOf(direction: 'asc' | 'desc', hasPlace: boolean): Expression {
  const places = hasPlace ? [PLACE, VALUE] : [VALUE];
  return sql.join(places.map((place) => sql`${place} ${sql.raw(direction)}`));
}

/** The values that are returned, as one JSON text. */
function listOf(
  { sort, limit, groups: name }: Clauses['values'],
  shown: Expression,
  hasPlace: boolean,
): Expression {
  const byValue = orderOf('asc', hasPlace);
  const order = sort === 'count' ? sql`${COUNT} desc, ${byValue}` : byValue;
  const item = sql`'{"value":' || ${shown} || ',"count":"' || ${COUNT} || '"}'`;
  const first = sqlBlock`
    select * from ${name} where ${VALUE} is not null order by ${order} limit ${sql.lit(limit)}`;
  const list = sql`'[' || coalesce(string_agg(${item}, ','), '') || ']'`;
  return sql`(select ${list} from (${first}) as ${sql.id('p')})`;
}

function groupingOf({ column, field }: Clauses['values']): Grouping {
  const { type, databaseType } = field;
  if (type === 'text') return textGrouping(column, databaseType);
  // An array is a value as it travels.
  if (type === 'array')
    return { value: sql`(${encode(column, field)}) collate "C"`, shown: sql`${VALUE}` };
  if (type === 'float64')
    return {
      value: column,
      // -0 equals 0, and is the lesser text.
      form: sql`min(case when ${column} = 0 then ${column}::text collate "C" end)`,
      shown: sql`coalesce(${FORM}, ${encode(VALUE, field)})`,
    };
  // Where a column fixes no scale, equal decimals may have zeros at their end or not.
  if (type === 'decimal' && databaseType === 'numeric')
    return {
      value: column,
      form: sql`min(scale(${column}))`,
      shown: encode(
        sql`case when ${FORM} is null then ${VALUE} else round(${VALUE}, ${FORM}) end`,
        field,
      ),
    };
  return { value: column, shown: encode(VALUE, field) };
}

function textGrouping(column: Expression, databaseType: string): Grouping {
  const shown = sql`to_json(${VALUE}::text)::text`;
  if (!isInexact({ databaseType })) return { value: column, shown };
  const value = exact(column);
  // These two have no least value.
  if (databaseType === 'name') return { value, shown };
  if (databaseType === '"char"')
    return { value, place: sql`min(get_byte(${byteOfChar(column)}, 0))`, shown };
  return { value, place: sql`min(${column})`, shown };
}
