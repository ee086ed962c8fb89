import {
  AGGREGATES,
  API_PATHS,
  FILTER_LIMITS,
  GROUP_LIMITS,
  MAX_ATTRIBUTES,
  MAX_SORT_TERMS,
  operatorsOf,
  PROBLEMS,
  RELATION_LIMITS,
  WIRE_TYPES,
  type WireType,
} from '../src/index.ts';
import { table } from './markdown-table.ts';

/** Every path of the API with the requests that it takes. */
const REQUESTS: Readonly<Record<keyof typeof API_PATHS, readonly string[][]>> = {
  query: [
    [`\`POST /${API_PATHS.query}\``, 'one page of a model'],
    [`\`QUERY /${API_PATHS.query}\``, 'the same; 304 where the caller holds it'],
  ],
  export: [
    [`\`POST /${API_PATHS.export}\``, 'a whole list, as JSON lines or CSV'],
    [`\`QUERY /${API_PATHS.export}\``, 'the same'],
  ],
  facets: [
    [`\`POST /${API_PATHS.facets}\``, 'what the attributes of a list hold'],
    [`\`QUERY /${API_PATHS.facets}\``, 'the same'],
  ],
  watch: [
    [`\`POST /${API_PATHS.watch}\``, 'events when a list changes'],
    [`\`QUERY /${API_PATHS.watch}\``, 'the same'],
  ],
  models: [
    [`\`GET /${API_PATHS.models}\``, 'the models that the token may see'],
    [`\`GET /${API_PATHS.models}/{name}\``, 'one of them'],
  ],
};

/** The parts of `docs/reference/contract.md` that are made from tables of the code, by their names. */
const PARTS: Readonly<Record<string, () => string>> = {
  paths: () => table(['request', 'reply'], Object.values(REQUESTS).flat()),
  limits: () =>
    table(
      ['limit', 'at most'],
      [
        ['attributes of a query', String(MAX_ATTRIBUTES)],
        ['terms of `query_sort`', String(MAX_SORT_TERMS)],
        ['depth of `query_filter`', String(FILTER_LIMITS.depth)],
        ['comparisons in `query_filter`', String(FILTER_LIMITS.leaves)],
        ['related conditions of `query_filter` in one another', String(FILTER_LIMITS.related)],
        ['values listed in `query_filter`', String(FILTER_LIMITS.values)],
      ],
    ),
  relations: () =>
    table(
      ['limit', 'at most'],
      [
        ['relations of a path', String(RELATION_LIMITS.steps)],
        ['different paths of a request', String(RELATION_LIMITS.paths)],
      ],
    ),
  aggregates: () =>
    table(
      ['`op`', 'value'],
      Object.entries(AGGREGATES).map(([op, { meaning }]) => [code(op), meaning]),
    ),
  groups: () =>
    table(
      ['limit', 'at most'],
      [
        ['group attributes of a request', String(GROUP_LIMITS.groups)],
        ['aggregates of a request', String(GROUP_LIMITS.aggregates)],
      ],
    ),
  types: () =>
    table(
      ['type', 'JSON', 'operators'],
      Object.entries(WIRE_TYPES).map(([type, { json }]) => [
        code(type),
        json,
        operatorsOf(type as WireType)
          .map(code)
          .join(', '),
      ]),
    ),
  codes: () => {
    const byStatus = Map.groupBy(Object.entries(PROBLEMS), ([, { status }]) => status);
    const rows = [...byStatus].map(([status, problems]) => [
      String(status),
      problems.map(([name]) => code(name)).join(', '),
    ]);
    return table(['status', 'codes'], rows);
  },
};

/** A page with the parts that are made from the code put in anew. */
export function withMadeParts(page: string): string {
  return page.replaceAll(
    /(<!-- made from the code: (\w+) -->\n).*?(<!-- end -->)/gs,
    (whole, begin: string, name: string, end: string) => {
      const part = PARTS[name];
      return part === undefined ? whole : `${begin}\n${part()}\n\n${end}`;
    },
  );
}

/** The names of the parts that a page has. */
export function madeParts(page: string): string[] {
  return [...page.matchAll(/<!-- made from the code: (\w+) -->/g)].map(([, name = '']) => name);
}

/** The names of all parts that there are. */
export const PART_NAMES: readonly string[] = Object.keys(PARTS);

function code(text: string): string {
  return `\`${text}\``;
}
