import { describeValue } from '../../errors/describe-value.ts';
import {
  FACET,
  FILTER_NODES,
  RELATED_TERM,
  SORT_TERM,
  TOTAL_LIMIT,
  type Names,
} from './argument-names.ts';
import { unknownMember } from './unknown-member.ts';

const INNER = ['not', 'some', 'none'] as const;

type FilterMember = 'and' | 'or' | (typeof INNER)[number];

type CheckedName = 'sort' | 'filter' | 'groupFilter' | 'total' | 'facets' | 'related';

/**
 * Refuses unknown fields of `sort`, `filter`, `total`, `facets` and `related`; the service checks
 * everything else.
 *
 * @throws {TypeError} that names the member and its place.
 */
export function checkSelection(name: string, selection: object): void {
  const {
    sort,
    filter,
    groupFilter,
    total,
    facets,
    related,
  }: Readonly<Partial<Record<CheckedName, unknown>>> = selection;
  checkNode(total, TOTAL_LIMIT, `${name}: total`);
  if (sort !== undefined) checkSort(sort, `${name}: sort`);
  if (Array.isArray(facets))
    for (const [index, facet] of facets.entries())
      checkFiltered(facet, FACET, `${name}: facets[${index}]`);
  if (isObject(related))
    for (const [member, term] of Object.entries(related))
      checkFiltered(term, RELATED_TERM, `${name}: related.${member}`);
  checkFilter(filter, `${name}: filter`);
  checkFilter(groupFilter, `${name}: groupFilter`);
}

/** A caller may first try a text such as `-population`, as `dq --sort` takes it. */
function checkSort(sort: unknown, place: string): void {
  if (!Array.isArray(sort)) {
    const wanted = "an array, such as [{ attribute: 'population', direction: 'desc' }]";
    throw new TypeError(`${place}: expected ${wanted}; got ${describeValue(sort)}`);
  }
  for (const [index, term] of sort.entries()) checkNode(term, SORT_TERM, `${place}[${index}]`);
}

function checkFiltered(term: unknown, names: Names, place: string): void {
  checkNode(term, names, place);
  if (isObject(term) && 'filter' in term) checkFilter(term.filter, `${place}.filter`);
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
