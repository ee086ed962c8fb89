import {
  type RequestError,
  type RequestErrorCode,
  type Filter,
  type FilterLeaf,
  jsonPointer,
  type ModelEntry,
  OPERATORS,
  type QueryRequest,
  type RecordKey,
} from '@proj/contract';

type Members = { readonly [Name in keyof QueryRequest]?: QueryRequest[Name] | undefined };

const error = (
  path: readonly PropertyKey[],
  code: RequestErrorCode,
  more: object = {},
): RequestError => ({
  pointer: jsonPointer(path),
  code,
  detail: `${jsonPointer(path)}: ${code}.`,
  ...more,
});

/** The errors of a well-formed request that show only beside the model. */
export function planErrors(
  { query_attributes: names = [], page, query_filter: filter, query_sort: sort = [] }: Members,
  entry: ModelEntry,
): RequestError[] {
  const known = new Set(entry.attributes.map(({ name }) => name));
  const maximum = entry.max_page_size;
  return [
    ...names.flatMap((name, index) =>
      known.has(name) ? [] : [error(['query_attributes', index], 'unknown_attribute')],
    ),
    ...(page && page.size > maximum
      ? [error(['page', 'size'], 'size_too_large', { maximum })]
      : []),
    ...(page && 'containing' in page ? keyErrors(page.containing, entry) : []),
    ...sort.flatMap(({ attribute }, index) =>
      known.has(attribute) ? [] : [error(['query_sort', index, 'attribute'], 'unknown_attribute')],
    ),
    ...(filter ? filterErrors(filter, entry, ['query_filter']) : []),
  ];
}

function keyErrors(containing: RecordKey, { key, attributes }: ModelEntry): RequestError[] {
  const path = ['page', 'containing'];
  const others = Object.keys(containing).filter((name) => !key.includes(name));
  return [
    ...key.flatMap((name): RequestError[] => {
      if (!Object.hasOwn(containing, name)) return [error([...path, name], 'missing_member')];
      const type = attributes.find((attribute) => attribute.name === name)?.type ?? '';
      return isValue(containing[name], type) ? [] : [error([...path, name], 'invalid_value')];
    }),
    ...others.map((name) => error([...path, name], 'unknown_member')),
  ];
}

function filterErrors(
  filter: Filter,
  entry: ModelEntry,
  path: readonly PropertyKey[],
): RequestError[] {
  if ('not' in filter) return filterErrors(filter.not, entry, [...path, 'not']);
  if ('and' in filter)
    return filter.and.flatMap((part, index) => filterErrors(part, entry, [...path, 'and', index]));
  if ('or' in filter)
    return filter.or.flatMap((part, index) => filterErrors(part, entry, [...path, 'or', index]));
  if (!('attribute' in filter)) return [error([...path, 'related'], 'unknown_attribute')];
  return leafErrors(filter, entry, path);
}

function leafErrors(
  { attribute, op, value }: FilterLeaf,
  { attributes }: ModelEntry,
  path: readonly PropertyKey[],
): RequestError[] {
  const found = attributes.find(({ name }) => name === attribute);
  if (!found) return [error([...path, 'attribute'], 'unknown_attribute')];
  if (!found.operators.includes(op)) return [error([...path, 'op'], 'operator_not_applicable')];
  const { operand } = OPERATORS[op];
  const values: readonly unknown[] =
    (operand === 'list' || operand === 'pair') && Array.isArray(value) ? value : [value];
  const fits = values.every((one) => {
    if (operand === 'truth') return typeof one === 'boolean';
    return (
      (operand === 'value_or_null' && one === null) ||
      isValue(one, operand === 'day' ? 'date' : found.type)
    );
  });
  return fits ? [] : [error([...path, 'value'], 'invalid_value')];
}

function isValue(value: unknown, type: string): boolean {
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'int64')
    return Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value));
  if (type === 'decimal')
    return (
      Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
    );
  return typeof value === 'string' && (type !== 'date' || /^\d{4}-\d\d-\d\d$/.test(value));
}
