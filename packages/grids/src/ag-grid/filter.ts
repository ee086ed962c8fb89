import type { Filter } from '@proj/client';

import type { Condition } from '../mapping/condition.ts';
import type { Columns } from '../mapping/columns.ts';
import { allOf, anyOf, type Part } from '../mapping/filter-parts.ts';
import { type AgColumn, innerColumn } from './column.ts';
import { dateFilter } from './date-filter.ts';
import type { AgCondition, AgFilterParams } from './filter-model.ts';
import { isOneOfTexts } from '../mapping/texts.ts';
import { blanksPass, SCALAR_OPERATORS } from './scalar.ts';
import { isBlank, textFilter } from './text-filter.ts';

/**
 * The filter that selects the same records as AG Grid's filter model does on the client
 * (https://www.ag-grid.com/javascript-data-grid/filter-conditions/).
 *
 * @throws {MappingError} where there is none.
 */
export function agFilter(
  columns: Columns,
  model: unknown,
  columnOf: (column: string) => AgColumn,
): Part {
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
    entries.map(([name, condition]) =>
      columnFilter(columns, { column: columnOf(name), condition }),
    ),
  );
}

interface ColumnFilter {
  readonly column: AgColumn;
  readonly condition: AgCondition;
}

function columnFilter(columns: Columns, { column, condition }: ColumnFilter): Part {
  const { conditions, operator, filterModels } = condition;
  if (conditions) {
    const parts = conditions.map((one) => columnFilter(columns, { column, condition: one }));
    return (operator === 'OR' ? anyOf : allOf)(parts);
  }
  if (filterModels)
    return allOf(
      filterModels.map((one, index) =>
        one === null
          ? null
          : columnFilter(columns, { column: innerColumn(column, index), condition: one }),
      ),
    );
  return simpleFilter(columns, { column, condition });
}

/** Functions that decide or change what is compared, where the grid filters by itself. */
const OWN_FUNCTIONS = ['textMatcher', 'textFormatter', 'keyCreator'] as const;

function simpleFilter(columns: Columns, { column, condition }: ColumnFilter): Part {
  const { filterType = '', type } = condition;
  const { attribute, params } = column;
  const caseSensitive = params.caseSensitive === true;
  const name = filterType === 'set' ? 'set filter' : String(type);
  const mapped = columns.condition(attribute, name, { caseSensitive });
  const own = OWN_FUNCTIONS.find((one) => params[one] !== undefined && params[one] !== null);
  if (own !== undefined)
    mapped.refuse(`its filterParams have a ${own}, which only a browser can run`, `no ${own}`);
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

/** `null` is the entry "(Blanks)", behind which the grid has the empty text too. */
function setFilter(mapped: Condition, values: readonly (string | null)[]): Part {
  const texts = values.filter((value) => value !== null && value !== '');
  const found = texts.length > 0 ? isOneOf(mapped, texts) : null;
  if (texts.length === values.length) return found ?? mapped.nothing();
  const blank = isBlank(mapped);
  return found === null ? blank : anyOf([found, blank]);
}

/** The entries of an array's filter are its elements. */
function isOneOf(mapped: Condition, values: readonly unknown[]): Filter {
  return mapped.isArray ? mapped.holds('has_any', values) : isOneOfTexts(mapped, values);
}
