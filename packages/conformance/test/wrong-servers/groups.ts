import type { Answer, Received } from '../../../cli/test/service/answer.ts';
import { onPages, onQueries } from '../tampering.ts';
import type { Variant } from './variant.ts';

type Group = Readonly<Record<string, unknown>>;

interface PageOfGroups {
  readonly result: readonly Group[];
  readonly total: string;
}

const isGrouped = ({ body }: Received): boolean => body.includes('"query_aggregates"');

/** Changes pages of groups; what is said of those that follow stays. */
function onGroups(change: (page: PageOfGroups) => Partial<PageOfGroups>) {
  const changed = onPages(({ result, page }) => {
    const before = { result, total: String(page['total']) };
    const after = { ...before, ...change(before) };
    return { result: after.result, page: { ...page, total: after.total } };
  });
  return (answer: Answer, request: Received): Answer =>
    isGrouped(request) ? changed(answer, request) : answer;
}

const plus = (digits: unknown, more: number): string => String(Number(digits) + more);

/** Servers whose groups are not as the contract says. */
export const WRONG_GROUPS: Readonly<Record<string, Variant>> = {
  'leaves the group of NULL out': {
    behaviour: {
      after: onGroups(({ result, total }) => {
        const kept = result.filter((group) => !Object.values(group).includes(null));
        return { result: kept, total: plus(total, kept.length - result.length) };
      }),
    },
    breaks: ['group-total', 'group-counts'],
  },
  'says how many records there are, not how many groups': {
    behaviour: { after: onGroups(() => ({ total: '42' })) },
    breaks: ['group-total', 'group-filter'],
  },
  'counts a record in another group than it is in': {
    behaviour: {
      after: onGroups(({ result }) => ({
        result: result.map((group, index) => {
          const more = index === 0 ? 1 : index === result.length - 1 ? -1 : 0;
          return { ...group, records: plus(group['records'], more) };
        }),
      })),
    },
    breaks: ['group-counts', 'group-days', 'group-filter', 'group-sort'],
  },
  'has two groups of one value': {
    behaviour: {
      after: onGroups(({ result: [first, ...others], total }) =>
        first === undefined
          ? {}
          : {
              result: [
                { ...first, records: plus(first['records'], -1) },
                { ...first, records: '1' },
                ...others,
              ],
              total: plus(total, 1),
            },
      ),
    },
    breaks: ['group-counts', 'group-days', 'group-values', 'group-filter', 'group-sort'],
  },
  'keeps all groups, whatever is asked for': {
    behaviour: { before: onQueries(({ query_group_filter: _asked, ...query }) => query) },
    breaks: ['group-filter'],
  },
  'has groups in one order only': {
    behaviour: {
      before: onQueries(({ query_sort: terms, ...query }) =>
        'query_groups' in query || terms === undefined ? query : { ...query, query_sort: terms },
      ),
    },
    breaks: ['group-sort'],
  },
  'passes over aggregates where nothing is grouped': {
    behaviour: {
      before: onQueries(({ query_aggregates: aggregates, ...query }) =>
        'query_groups' in query ? { ...query, query_aggregates: aggregates } : query,
      ),
    },
    breaks: ['group-errors'],
  },
  'drops attributes that are not grouped by': {
    behaviour: {
      before: onQueries((query) => {
        const { query_groups: groups, query_attributes: names, query_aggregates } = query;
        return Array.isArray(groups) && Array.isArray(names) && query_aggregates === undefined
          ? { ...query, query_attributes: names.filter((name) => groups.includes(name)) }
          : query;
      }),
    },
    breaks: ['group-errors'],
  },
};
