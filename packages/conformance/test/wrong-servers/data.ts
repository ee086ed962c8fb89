import { chain, instead, onPages, onQueries, refusal } from '../tampering.ts';
import { json } from '../../../cli/test/service/answer.ts';
import type { Variant } from './variant.ts';

type Member = [name: string, value: unknown];

/** Changes the members of every record. */
function onElements(change: (members: Member[]) => Member[]) {
  return onPages(({ result, page }) => ({
    page,
    result: result.map((record) => Object.fromEntries(change(Object.entries(record)))),
  }));
}

const numberOf = (value: unknown): number => Number(value);

/** Servers that answer, and answer wrongly. */
export const WRONG_DATA: Readonly<Record<string, Variant>> = {
  'sends numbers for strings, and one member more': {
    behaviour: {
      after: onPages(({ result, page }) => ({
        result,
        page: { ...page, total: numberOf(page['total']), pages: 1 },
      })),
    },
    breaks: ['reply-members', 'metadata-strings', 'total-none', 'total-up-to'],
  },
  'says that a page follows when the last one is full': {
    behaviour: {
      after: onPages(({ result, page }) => ({
        result,
        page: {
          ...page,
          has_next: numberOf(page['page']) * numberOf(page['size']) <= numberOf(page['total']),
        },
      })),
    },
    breaks: ['has-next', 'total-none', 'total-up-to'],
  },
  'answers the last page for every page past it': {
    behaviour: {
      before: onQueries((query) => {
        const { page, size } = Object(query['page']);
        const last = Math.ceil(42 / size);
        return Number.isSafeInteger(page) && page > last
          ? { ...query, page: { page: last, size } }
          : query;
      }),
    },
    breaks: ['metadata-echo', 'result-length', 'page-count', 'past-the-end', 'far-past-the-end'],
  },
  'refuses pages past the end': {
    behaviour: {
      after: instead(
        (_request, { body }) =>
          Object(Object(body).page).total !== '0' && Object(body).result?.length === 0,
        refusal('not_found'),
      ),
    },
    breaks: ['page-count', 'past-the-end', 'far-past-the-end', 'total-none', 'total-up-to'],
  },
  'counts pages from 0, unless they are large': {
    behaviour: {
      before: onQueries((query) => {
        const { page, size, ...others } = Object(query['page']);
        return Number.isSafeInteger(page) && page > 0 && size < 100
          ? { ...query, page: { page: page + 1, size, ...others } }
          : query;
      }),
      after: onPages(({ result, page }) => ({
        result,
        page:
          numberOf(page['size']) < 100
            ? { ...page, page: String(numberOf(page['page']) - 1) }
            : page,
      })),
    },
    breaks: [
      'containing-page',
      'result-length',
      'offset',
      'page-count',
      'order-total',
      'sort-nulls',
      'group-total',
      'group-counts',
      'group-filter',
      'related-sort',
    ],
  },
  'promises larger pages than it answers': {
    behaviour: {
      after: (answer, { path }) => {
        const text = JSON.stringify(answer.body).replaceAll(
          '"max_page_size":300',
          '"max_page_size":301',
        );
        return path.includes('/models') && answer.status === 200
          ? { ...answer, body: JSON.parse(text) }
          : answer;
      },
    },
    breaks: ['far-past-the-end', 'size-maximum', 'size-too-large'],
  },
  'sorts the members of records': {
    behaviour: { after: onElements((members) => members.toSorted(([a], [b]) => (a < b ? -1 : 1))) },
    breaks: ['member-order', 'relation-members'],
  },
  'leaves NULL out': {
    behaviour: { after: onElements((members) => members.filter(([, value]) => value !== null)) },
    breaks: ['all-members', 'relation-members'],
  },
  'sends whole numbers as JSON numbers': {
    behaviour: {
      after: onElements((members) =>
        members.map(([name, value]) => [name, name === 'id' ? numberOf(value) : value]),
      ),
    },
    breaks: [
      'containing-not-in-list',
      'containing-page',
      'lossless-types',
      'order-total',
      'export-records',
      'export-csv',
      'related-values',
    ],
  },
  'sends null where the catalogue excludes it': {
    behaviour: {
      after: onPages(({ result, page }) => ({
        page,
        result: result.map((record) => ('area' in record ? { ...record, area: null } : record)),
      })),
    },
    breaks: ['no-null', 'export-records'],
  },
  'breaks no ties': {
    behaviour: { slips: { tiesShuffle: true } },
    breaks: [
      'containing-page',
      'offset',
      'order-stable',
      'order-total',
      'order-default',
      'total-none',
      'total-up-to',
      'query-method-reply',
      'relation-list',
    ],
    mayBreak: ['related-list'],
  },
  'sorts NULL as the smallest value and ignores directions': {
    behaviour: { slips: { nullIsSmallest: true, directionIgnored: true } },
    breaks: ['sort-direction', 'sort-nulls', 'group-sort', 'related-sort'],
  },
  'has another default order than it says': {
    behaviour: {
      before: onQueries((query) =>
        'query_sort' in query || 'query_groups' in query
          ? query
          : { ...query, query_sort: [{ attribute: 'id', direction: 'desc' }] },
      ),
    },
    breaks: ['order-default'],
  },
  'takes wildcards, and ne for the opposite of eq': {
    behaviour: { slips: { wildcards: true, neKeepsNull: true } },
    breaks: ['filter-ne', 'filter-logic', 'filter-wildcards'],
  },
  'knows only true and false': {
    behaviour: { slips: { twoValued: true, betweenIsOpen: true } },
    breaks: ['filter-order', 'filter-logic', 'filter-days', 'filter-arrays'],
  },
  'ignores filters': {
    behaviour: { slips: { filtersIgnored: true } },
    breaks: [
      'containing-not-in-list',
      'facet-values',
      'facet-bins',
      'filter-eq',
      'filter-null',
      'filter-ne',
      'filter-distinct',
      'filter-in',
      'filter-order',
      'filter-logic',
      'filter-texts',
      'filter-case',
      'filter-days',
      'filter-arrays',
      'filter-wildcards',
      'relation-null',
      'relation-inverse',
      'group-counts',
      'group-days',
      'group-filter',
      'related-sort',
      'related-values',
    ],
  },
  'sends the exact total whatever is asked for': {
    behaviour: { before: onQueries(({ query_total: _asked, ...query }) => query) },
    breaks: ['containing-errors', 'total-none', 'total-up-to', 'total-errors', 'export-members'],
  },
  'answers unknown models with an empty page': {
    behaviour: {
      after: chain(
        instead(
          ({ body, headers }) =>
            body.includes('no such model') && headers.authorization !== undefined,
          () =>
            json(200, { result: [], page: { page: '1', size: '1', total: '0', has_next: false } }),
        ),
        instead(
          ({ body }) => body.includes('salaries') || body.includes('mayor'),
          refusal('forbidden'),
        ),
      ),
    },
    breaks: ['unknown-model', 'hidden-names'],
  },
  'takes each record for the one behind it': {
    behaviour: { slips: { recordsOneOff: true } },
    breaks: ['containing-page'],
  },
};
