import { onPages, onQueries } from '../tampering.ts';
import type { Variant } from './variant.ts';

type Query = Readonly<Record<string, unknown>>;

interface Count {
  readonly name: string;
  readonly related: string;
}

function countsIn(query: Query): readonly Count[] {
  const { query_related: counts } = query;
  return Array.isArray(counts) ? (counts as Count[]) : [];
}

const isCount = (query: Query, name: unknown): boolean =>
  countsIn(query).some((count) => count.name === name);

/** Servers whose counts of related records are not as the contract says. */
export const WRONG_RELATED_COUNTS: Readonly<Record<string, Variant>> = {
  'counts a related record that nobody sees': {
    behaviour: {
      after: onPages(({ result, page }, { body }) => {
        const query = JSON.parse(body.toString()) as Query;
        const more = (name: string, value: unknown): unknown =>
          isCount(query, name) ? String(Number(value) + 1) : value;
        const records = result.map((record) =>
          Object.fromEntries(
            Object.entries(record).map(([name, value]) => [name, more(name, value)]),
          ),
        );
        return { result: records, page };
      }),
    },
    breaks: ['related-values', 'related-sort'],
  },
  'leaves out records without related ones': {
    behaviour: {
      before: onQueries((query) =>
        countsIn(query).length > 0 && query['query_filter'] === undefined
          ? { ...query, query_filter: { related: 'parts', some: {} } }
          : query,
      ),
    },
    breaks: ['related-list'],
  },
  'keeps few of the records with a count': {
    behaviour: {
      before: onQueries((query) => {
        const { attribute, op } = Object(query['query_filter']) as Query;
        return isCount(query, attribute) && op === 'gte'
          ? { ...query, query_filter: { attribute, op: 'gt', value: '8' } }
          : query;
      }),
    },
    breaks: ['related-filter'],
  },
  'sorts by counts in one direction': {
    behaviour: {
      before: onQueries((query) => {
        const { query_sort: sort } = query;
        const [term] = Array.isArray(sort) ? (sort as Query[]) : [];
        return isCount(query, term?.['attribute'])
          ? { ...query, query_sort: [{ ...term, direction: 'asc' }] }
          : query;
      }),
    },
    breaks: ['related-sort'],
  },
  'ignores counts of what it does not know': {
    behaviour: {
      before: onQueries((query) => {
        const counts = countsIn(query);
        const known = counts.filter(({ related }) => related === 'parts');
        return known.length < counts.length ? { ...query, query_related: known } : query;
      }),
    },
    breaks: ['related-errors'],
  },
};
