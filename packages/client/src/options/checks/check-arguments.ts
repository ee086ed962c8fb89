import { describeValue } from '../../errors/describe-value.ts';
import {
  ARGUMENTS,
  FACET,
  FILTER_NODES,
  type Names,
  RELATED_TERM,
  SORT_TERM,
  TOTAL_LIMIT,
} from './argument-names.ts';

export type FunctionName = keyof typeof ARGUMENTS;

const TABLE: Readonly<Record<string, readonly (Names | null)[]>> = ARGUMENTS;

const ORDINALS = ['first', 'second'];

/**
 * Refuses options that a function does not know, or that are in the wrong argument. `undefined`
 * counts as absent.
 *
 * @throws {TypeError} that names the option and where it belongs.
 */
export function checkArguments(name: FunctionName, ...given: readonly unknown[]): void {
  for (const [index, names] of ARGUMENTS[name].entries()) {
    const value = given[index];
    if (names === null) continue;
    if (typeof value !== 'object' || value === null) {
      throw new TypeError(
        `${name}: expected an object as the ${ORDINALS[index]} argument; got ` +
          describeValue(value),
      );
    }
    const unknown = unknownMember(value, names);
    if (unknown !== undefined)
      throw new TypeError(`${name}: ${describeUnknown(unknown, name, index)}`);
    if ('filter' in names) checkSelection(name, value, names);
  }
}

function describeUnknown(unknown: string, name: FunctionName, index: number): string {
  const takes = (names: Names | null): boolean => names !== null && Object.hasOwn(names, unknown);
  const other = ARGUMENTS[name].findIndex(takes);
  if (other !== -1)
    return `${unknown} belongs in the ${ORDINALS[other]} argument; it is in the ${ORDINALS[index]}`;
  const functions = Object.keys(TABLE).filter((owner) => !owner.includes('('));
  const owners = functions.filter((owner) => TABLE[owner]?.some(takes));
  if (owners.length > 0) return `${unknown} is no option of it, but of ${owners.join(', ')}`;
  const allowed = Object.keys(ARGUMENTS[name][index] ?? {}).join(', ');
  const shown = JSON.stringify(unknown);
  return `${shown} is no option; the ${ORDINALS[index]} argument takes ${allowed}`;
}

const INNER = ['not', 'some', 'none'] as const;

type FilterMember = 'and' | 'or' | (typeof INNER)[number];

type CheckedName =
  | 'sort'
  | 'filter'
  | 'groupFilter'
  | 'total'
  | 'facets'
  | 'related'
  | 'by'
  | 'aggregates';

/**
 * Refuses unknown fields of `sort`, `filter`, `total`, `facets` and `related`, and what could not
 * be sent as it was given; the service checks everything else.
 *
 * @throws {TypeError} that names the member and its place.
 */
function checkSelection(name: string, selection: object, names: Names): void {
  const {
    sort,
    filter,
    groupFilter,
    total,
    facets,
    related,
    by,
    aggregates,
  }: Readonly<Partial<Record<CheckedName, unknown>>> = selection;
  checkNode(total, TOTAL_LIMIT, `${name}: total`);
  if (sort !== undefined)
    // A caller may first try a text such as `-population`, as `dq --sort` takes it.
    for (const [place, term] of items(sort, `${name}: sort`, SORT_EXAMPLE))
      checkNode(term, SORT_TERM, place);
  if ('facets' in names)
    for (const [place, facet] of items(facets, `${name}: facets`)) checkTerm(facet, FACET, place);
  if ('by' in names)
    for (const [place, term] of items(by, `${name}: by`))
      if (typeof term !== 'string') checkIsObject(term, place);
  for (const [place, term] of members(aggregates, `${name}: aggregates`))
    checkIsObject(term, place);
  for (const [place, term] of members(related, `${name}: related`))
    checkTerm(term, RELATED_TERM, place);
  checkFilter(filter, `${name}: filter`);
  checkFilter(groupFilter, `${name}: groupFilter`);
}

const SORT_EXAMPLE = ", such as [{ attribute: 'population', direction: 'desc' }]";

/** Each with its place. */
function items(list: unknown, place: string, example = ''): [string, unknown][] {
  if (Array.isArray(list)) return list.map((item, index) => [`${place}[${index}]`, item]);
  throw new TypeError(`${place}: expected an array${example}; got ${describeValue(list)}`);
}

function members(map: unknown, place: string): [string, unknown][] {
  if (map === undefined) return [];
  checkIsObject(map, place);
  return Object.entries(map).map(([name, member]) => [`${place}.${name}`, member]);
}

function checkTerm(term: unknown, names: Names, place: string): void {
  checkIsObject(term, place);
  checkNode(term, names, place);
  if ('filter' in term) checkFilter(term.filter, `${place}.filter`);
}

function checkIsObject(value: unknown, place: string): asserts value is object {
  if (isObject(value) && !Array.isArray(value)) return;
  throw new TypeError(`${place}: expected an object; got ${describeValue(value)}`);
}

function checkFilter(node: unknown, place: string): void {
  if (!isObject(node)) return;
  const kind = FILTER_NODES.find((names) => Object.keys(names).some((name) => name in node));
  if (kind === undefined) return;
  checkNode(node, kind, place);
  const { and, or, ...inner }: Readonly<Partial<Record<FilterMember, unknown>>> = node;
  for (const [name, parts] of Object.entries({ and, or })) {
    if (Array.isArray(parts))
      for (const [index, part] of parts.entries()) checkFilter(part, `${place}.${name}[${index}]`);
  }
  for (const name of INNER) checkFilter(inner[name], `${place}.${name}`);
}

function checkNode(node: unknown, names: Names, place: string): void {
  const unknown = isObject(node) ? unknownMember(node, names) : undefined;
  if (unknown === undefined) return;
  throw new TypeError(
    `${place}: ${JSON.stringify(unknown)} is no member; it takes ${Object.keys(names).join(', ')}`,
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The first unknown member, if any; `undefined` counts as absent. */
function unknownMember(value: object, names: Names): string | undefined {
  return Object.entries(value).find(
    ([name, member]) => member !== undefined && !Object.hasOwn(names, name),
  )?.[0];
}
