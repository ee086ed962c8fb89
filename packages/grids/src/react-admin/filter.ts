import type { Condition, Mapping } from '../mapping/condition.ts';
import { type Columns, quickFilter } from '../mapping/columns.ts';
import { allOf, type Part } from '../mapping/filter-parts.ts';

/** A condition: what it is about, and its value. */
type Member = readonly [name: string, value: unknown];

/**
 * The conditions of a filter. react-admin's forms put the value of an input whose source has a dot
 * into an object: `{ country: { name } }` is about `country.name`.
 */
export function membersOf(filter: object): readonly Member[] {
  return Object.entries(filter).flatMap(([name, value]: Member): readonly Member[] => {
    if (value === undefined) return [];
    if (!isNested(value)) return [[name, value]];
    return membersOf(value).map(([inner, one]) => [`${name}.${inner}`, one]);
  });
}

/** Whether a value is an object that holds conditions; others, such as dates, are refused. */
function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype && Object.keys(value).length > 0;
}

/**
 * The filter that selects the records of react-admin's filter: `{ name: value }` is equality, a
 * list is one of its values, `null` is NULL, `q` is a search in all texts, and a name may end with
 * an operator as in FakeRest (`population_gte`).
 *
 * @throws {MappingError} where there is none.
 */
export function adminFilter(columns: Columns, members: readonly Member[]): Part {
  return allOf(members.map(([name, value]) => memberFilter(columns, name, value)));
}

function memberFilter(columns: Columns, name: string, value: unknown): Part {
  if (columns.has(name)) return isValue(columns.condition(name, 'filter'), value);
  if (name === 'q') return quickFilter(columns, [String(value)]);
  const suffix = SUFFIXES.find(
    (one) => name.endsWith(one) && columns.has(name.slice(0, -one.length)),
  );
  if (suffix === undefined) return isValue(columns.condition(name, 'filter'), value);
  const mapped = columns.condition(name.slice(0, -suffix.length), suffix);
  return OPERATORS[suffix]?.(mapped, value) ?? null;
}

function isValue(mapped: Condition, value: unknown): Part {
  if (value === null) return mapped.isNull();
  if (Array.isArray(value)) return isAny(mapped, value);
  if (typeof value === 'object')
    return mapped.refuse('its value is an object', 'the name of an attribute, and a plain value');
  return mapped.compare('eq', value);
}

function isAny(mapped: Condition, value: unknown): Part {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const found = mapped.isOneOf(values.filter((one) => one !== null));
  return values.includes(null) ? { or: [found, mapped.isNull()] } : found;
}

/** The operators at the end of a name. A longer one comes before those that are its own ending. */
const OPERATORS: Readonly<Record<string, Mapping>> = {
  _neq_any: (mapped, value) => isNone(mapped, value),
  _eq_any: isAny,
  _neq: (mapped, value) => (value === null ? mapped.isNotNull() : mapped.isOther(value)),
  _eq: isValue,
  _gte: (mapped, value) => mapped.compare('gte', value),
  _gt: (mapped, value) => mapped.compare('gt', value),
  _lte: (mapped, value) => mapped.compare('lte', value),
  _lt: (mapped, value) => mapped.compare('lt', value),
  _q: (mapped, value) => mapped.compare('icontains', value),
};

const SUFFIXES = Object.keys(OPERATORS);

function isNone(mapped: Condition, value: unknown): Part {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const others = values.filter((one) => one !== null);
  if (others.length === 0) return values.length > 0 ? mapped.isNotNull() : null;
  const found = mapped.isOneOf(others);
  return values.includes(null) ? { not: found } : mapped.except(found);
}
