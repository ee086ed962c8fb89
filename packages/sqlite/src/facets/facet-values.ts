import { type Clauses, Facets, sqlBlock } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { callFunction } from '../values/call-function.ts';
import { comparedDate } from '../values/dates.ts';
import { encode, encodeComparedDate } from '../values/encode.ts';
import { inNumberForm, numberForm } from './number-form.ts';

type Expression = RawBuilder<unknown>;

/** The value that a group is of, its least form, and its number of records. */
const [VALUE, FORM, COUNT] = [sql.id('s'), sql.id('v'), sql.id('n')];

/** How values of a field are grouped. */
interface Grouping {
  /** The value, with which groups are sorted. */
  readonly value: Expression;
  /** Equal for values that `eq` finds equal, and for no others. Default: the value. */
  readonly by?: Expression;
  /**
   * What decides how the value is shown, as an aggregate, where equal values have several forms.
   */
  readonly form?: Expression;
  /**
   * The value of a group as an argument of `json_object`; of equal values that of the least text.
   */
  readonly shown: Expression;
}

/** The facet in one row; the columns are those of `FACET_COLUMNS`. */
export function selectValues(facet: Clauses['values']): Expression {
  const { sort, limit, isSortable, groups: name } = facet;
  const { value, by = value, form, shown } = groupingOf(facet);
  const forms = form === undefined ? sql`` : sql`, ${form} as ${FORM}`;
  const groups = sqlBlock`
    select ${value} as ${VALUE}${forms}, count(*) as ${COUNT}
    ${Facets.recordsOf(facet)}
    group by ${by}`;
  const order = sort === 'count' ? sql`${COUNT} desc, ${inOrder('asc')}` : inOrder('asc');
  const first = sqlBlock`
    select * from ${name} where ${VALUE} is not null order by ${order} limit ${sql.lit(limit)}`;
  const item = sql`json_object('value', ${shown}, 'count', cast(${COUNT} as text))`;
  const extreme = (direction: 'asc' | 'desc'): Expression =>
    isSortable
      ? sqlBlock`(
          select json_array(${shown})
          from ${name}
          where ${VALUE} is not null
          order by ${inOrder(direction)}
          limit 1
        )`
      : sql`null`;
  const columns = Facets.facetColumns({
    found: sql`(select json_group_array(${item}) from (${first}))`,
    distinct: sql`count(${VALUE})`,
    nulls: sql`coalesce(sum(${COUNT}) filter (where ${VALUE} is null), 0)`,
    total: sql`coalesce(sum(${COUNT}), 0)`,
    min: extreme('asc'),
    max: extreme('desc'),
  });
  return sql`with ${name} as materialized (${groups}) select ${columns} from ${name}`;
}

/** Texts that are equal to a collation are sorted by their bytes. */
function inOrder(direction: 'asc' | 'desc'): Expression {
  const word = sql.raw(direction);
  return sql`${VALUE} ${word}, ${VALUE} collate binary ${word}`;
}

function groupingOf({ column, field }: Clauses['values']): Grouping {
  const { type, storedAs } = field;
  if (storedAs !== undefined)
    return {
      value: comparedDate(column, { type, storedAs }),
      shown: encodeComparedDate(VALUE, type),
    };
  const least = sql`min(${column} collate binary)`;
  switch (type) {
    case 'text':
      return { value: column, by: sql`${column} collate binary`, shown: encode(VALUE, field) };
    case 'float64': {
      // -0 equals 0, and is the lesser text.
      const text = callFunction('number', column);
      const zero = sql`case typeof(${column}) when 'real' then ${text} end`;
      const form = sql`min(case when ${column} = 0 then ${zero} end)`;
      const others = encode(VALUE, field);
      const shown = sql`case when ${FORM} = '-0' then json(${FORM}) else ${others} end`;
      return { value: column, form, shown };
    }
    case 'any':
      return {
        value: column,
        by: sql`${column} collate binary`,
        form: numberForm(column),
        shown: encode(inNumberForm(VALUE, FORM), field),
      };
    case 'int32':
    case 'int64':
    case 'boolean':
      return { value: column, shown: encode(VALUE, field) };
    default:
      return { value: column, form: least, shown: encode(FORM, field) };
  }
}
