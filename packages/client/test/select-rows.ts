import type { Filter, FilterLeaf, ModelEntry, QueryRequest } from '@proj/contract';

/** One row of a model in memory. */
export type Row = Readonly<Record<string, unknown>>;

type Compare = (attribute: string, left: unknown, right: unknown) => number;

/** The rows that a request asks for, in its order; the key of the model breaks ties. */
export function selectRows(
  rows: readonly Row[],
  model: ModelEntry,
  {
    query_filter,
    query_sort = [],
  }: Pick<QueryRequest, 'query_model' | 'query_filter' | 'query_sort'>,
): Row[] {
  const types = new Map(model.attributes.map(({ name, type }) => [name, type]));
  const compare: Compare = (attribute, left, right) => {
    const [a, b] = [left, right].map((value) => ordinal(value, types.get(attribute)));
    if (a === undefined || b === undefined || a === b) return 0;
    return a < b ? -1 : 1;
  };
  const terms = [...query_sort, ...model.key.map((attribute) => ({ attribute, direction: 'asc' }))];
  return rows
    .filter((row) => query_filter === undefined || holds(query_filter, row, compare))
    .toSorted((left, right) => {
      for (const { attribute, direction } of terms) {
        const order = compare(attribute, left[attribute], right[attribute]);
        if (order !== 0) return direction === 'desc' ? -order : order;
      }
      return 0;
    });
}

/** Texts are ordered without regard to letter case, as many databases do. */
function ordinal(value: unknown, type: string | undefined): bigint | number | string {
  if (type === 'int64') return BigInt(String(value));
  return typeof value === 'number' ? value : String(value).toLowerCase();
}

function holds(filter: Filter, row: Row, compare: Compare): boolean {
  if ('and' in filter) return filter.and.every((part) => holds(part, row, compare));
  if ('or' in filter) return filter.or.some((part) => holds(part, row, compare));
  if ('not' in filter) return !holds(filter.not, row, compare);
  if (!('attribute' in filter)) throw new Error('The service of the tests has one model only');
  return holdsLeaf(filter, row[filter.attribute], compare);
}

function holdsLeaf(
  { attribute, op, value }: FilterLeaf,
  actual: unknown,
  compare: Compare,
): boolean {
  if (actual === null) return false;
  const order = compare(attribute, actual, value);
  switch (op) {
    case 'eq':
      return actual === value;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lte':
      return order <= 0;
    default:
      throw new Error(`The service of the tests does not know the operator ${op}`);
  }
}
