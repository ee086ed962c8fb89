import { instead, onProblems, onQueries, refusal } from '../tampering.ts';
import type { Variant } from './variant.ts';

type Members = Record<string, unknown>;

const KNOWN = new Set([
  'query_model',
  'query_attributes',
  'page',
  'query_filter',
  'query_sort',
  'query_related',
  'query_total',
  'query_groups',
  'query_aggregates',
  'query_group_filter',
]);

function keep(query: Members, names: ReadonlySet<string>): Members {
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.has(name)));
}

const pageOf = (query: Members): Members => ({ ...Object(query['page']) });

const whole = (value: unknown): unknown =>
  value === undefined ? undefined : Math.max(1, Math.floor(Number(value)));

/** Servers that take what they should refuse, or refuse it wrongly. */
export const WRONG_REFUSALS: Readonly<Record<string, Variant>> = {
  'passes over members that it does not know': {
    behaviour: {
      before: onQueries((query) => ({
        ...keep(query, KNOWN),
        ...(query['page'] !== undefined && {
          page: keep(pageOf(query), new Set(['page', 'size', 'containing'])),
        }),
      })),
    },
    breaks: ['unknown-members', 'all-errors'],
  },
  'reads numbers out of strings, and sizes as it likes': {
    behaviour: {
      before: onQueries((query) => {
        const { page, size, ...others } = pageOf(query);
        if (query['page'] === undefined || 'containing' in others) return query;
        return {
          ...query,
          page: {
            ...others,
            page: whole(page),
            size: size === undefined ? undefined : Math.min(300, Number(whole(size))),
          },
        };
      }),
    },
    breaks: ['page-types', 'page-range', 'size-too-large', 'all-errors'],
  },
  'has defaults for what is required': {
    behaviour: {
      before: onQueries((query) => ({
        query_model: 'cities',
        query_attributes: ['id'],
        ...query,
        page: { ...(!('containing' in pageOf(query)) && { page: 1 }), size: 1, ...pageOf(query) },
      })),
    },
    breaks: ['containing-errors', 'missing-members', 'export-records', 'export-csv'],
  },
  'tidies lists up': {
    behaviour: {
      before: onQueries((query) => {
        const { query_attributes: names, query_sort: terms } = query;
        const tidy = Array.isArray(names)
          ? [...new Set(names.length === 0 ? ['id'] : names)].slice(0, 200)
          : names;
        return {
          ...query,
          query_attributes: tidy,
          ...(Array.isArray(terms) && { query_sort: terms.slice(0, 1) }),
        };
      }),
    },
    breaks: ['attributes-list', 'sort-errors'],
  },
  'drops attributes and comparisons that it does not know': {
    behaviour: {
      before: onQueries((query) => {
        const { query_attributes: names, query_filter: filter } = query;
        const known = Array.isArray(names)
          ? names.filter((name) => !/^no|^nor/.test(String(name)))
          : names;
        const simple = JSON.stringify(filter ?? null);
        const doubtful =
          !simple.includes('is_distinct') &&
          /no such attribute|like|"value":(\{\}|\[\]|null|"a"|9007199254740992)/.test(simple);
        const { query_filter: _, ...rest } = query;
        return { ...(doubtful ? rest : query), query_attributes: known };
      }),
    },
    breaks: [
      'unknown-attribute',
      'all-errors',
      'filter-operators',
      'filter-values',
      'filter-attributes',
      'relation-unknown',
      'group-errors',
    ],
  },
  'takes filters of any size and form': {
    behaviour: {
      before: onQueries((query) => {
        const { query_filter: filter, ...rest } = query;
        const text = JSON.stringify(filter ?? null);
        const odd =
          text.length > 1000 ||
          /"not".*"not".*"not"/.test(text) ||
          /^\{"and":\[\]|^\[|^"|"or":\[\{"attribute":"id","op":"is_null","value":false\}\]\}$|^\{"op"/.test(
            text,
          );
        return odd ? rest : query;
      }),
    },
    breaks: ['containing-not-in-list', 'filter-limits', 'filter-form'],
  },
  'wants whole numbers written without a point': {
    behaviour: {
      after: instead(({ body }) => /1\.0|1e0/.test(body.toString()), refusal('invalid_type')),
    },
    breaks: ['page-integers'],
  },
  'calls every error invalid': {
    behaviour: {
      after: onProblems((document) => ({
        body: { ...document, code: 'invalid', type: '/problems/invalid', errors: [] },
      })),
    },
    breaks: [
      'containing-errors',
      'containing-not-in-list',
      'export-types',
      'export-members',
      'watch-types',
      'watch-members',
      'facet-errors',
      'facet-types',
      'query-method-refusals',
      'page-types',
      'page-range',
      'size-too-large',
      'missing-members',
      'unknown-members',
      'attributes-list',
      'unknown-model',
      'unknown-attribute',
      'all-errors',
      'malformed-json',
      'duplicate-keys',
      'json-encoding',
      'json-object',
      'token-required',
      'total-errors',
      'token-valid',
      'token-first',
      'token-catalogue',
      'content-type',
      'not-found',
      'method-not-allowed',
      'not-acceptable',
      'problem-page',
      'catalogue-unknown',
      'sort-errors',
      'filter-operators',
      'filter-values',
      'filter-unsafe-number',
      'filter-attributes',
      'filter-limits',
      'filter-form',
      'relation-unknown',
      'group-errors',
      'related-errors',
    ],
  },
};
