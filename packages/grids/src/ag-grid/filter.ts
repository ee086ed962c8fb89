import type { Filter } from '@proj/client';

import type { Condition } from '../mapping/condition.ts';
import type { Columns } from '../mapping/columns.ts';
import { allOf, anyOf, type Part } from '../mapping/filter-parts.ts';
import { dateFilter } from './date-filter.ts';
import type { AgCondition, AgFilterParams } from './filter-model.ts';
import { blanksPass, SCALAR_OPERATORS } from './scalar.ts';
import { textFilter } from './text-filter.ts';

/**
 * The filter that says what AG Grid's filter model says, as its filters on the client decide
 * (https://www.ag-grid.com/javascript-data-grid/filter-conditions/).
 *
 * @throws {MappingError} where there is none.
 */
export function agFilter(columns: Columns, model: unknown, params: AgFilterParams): Part {
  if (model === null || model === undefined) return null;
  const entries = Object.entries(model as Readonly<Record<string, AgCondition>>);
  const [[, first] = []] = entries;
  if (typeof first === 'string')
    columns.refuse(
      'advanced filter',
      'its model is not mapped',
      'the filters of columns, with `enableAdvancedFilter` off',
    );
  return allOf(
    entries.map(([column, condition]) => columnFilter(columns, { column, condition, params })),
  );
}

interface ColumnFilter {
  readonly column: string;
  readonly condition: AgCondition;
  readonly params: AgFilterParams;
}

function columnFilter(columns: Columns, { column, condition, params }: ColumnFilter): Part {
  const { conditions, operator, filterModels } = condition;
  const part = (one: AgCondition): Part =>
    columnFilter(columns, { column, condition: one, params });
  if (conditions) return (operator === 'OR' ? anyOf : allOf)(conditions.map(part));
  if (filterModels) return allOf(filterModels.map((one) => (one === null ? null : part(one))));
  return simpleFilter(columns, { column, condition, params });
}

function simpleFilter(columns: Columns, { column, condition, params }: ColumnFilter): Part {
  const { filterType = '', type } = condition;
  const mapped = columns.condition(column, filterType === 'set' ? 'set filter' : String(type));
  switch (filterType) {
    case 'text':
      return textFilter(mapped, condition);
    case 'number':
    case 'bigint':
      return numberFilter(mapped, condition, params);
    case 'date':
      return dateFilter(mapped, condition, params);
    case 'set':
      return setFilter(mapped, condition.values ?? []);
    default:
      return mapped.refuse(
        `a filter of the type ${JSON.stringify(filterType)} is not known`,
        'a text, number, date or set filter',
      );
  }
}

function numberFilter(mapped: Condition, condition: AgCondition, params: AgFilterParams): Part {
  const { type, filter, filterTo } = condition;
  if (type === 'blank') return mapped.isNull();
  if (type === 'notBlank') return mapped.isNotNull();
  if (type === 'inRange')
    return blanksPass(mapped, type, params)(range(mapped, [filter, filterTo], params));
  const op = SCALAR_OPERATORS[String(type)];
  if (op === undefined)
    return mapped.refuse('the condition is not known', Object.keys(SCALAR_OPERATORS).join(', '));
  return blanksPass(mapped, String(type), params)(mapped.compare(op, filter));
}

function range(
  mapped: Condition,
  [from, to]: readonly [unknown, unknown],
  { inRangeInclusive = false }: AgFilterParams,
): Filter {
  const [lower, upper] = inRangeInclusive ? (['gte', 'lte'] as const) : (['gt', 'lt'] as const);
  return { and: [mapped.compare(lower, from), mapped.compare(upper, to)] };
}

/** `null` among the values is the entry of blanks. */
function setFilter(mapped: Condition, values: readonly (string | null)[]): Part {
  const texts = values.filter((value) => value !== null);
  const found = texts.length > 0 ? mapped.isOneOf(texts) : null;
  if (!values.includes(null)) return found ?? mapped.nothing();
  return found === null ? mapped.isNull() : anyOf([found, mapped.isNull()]);
}
