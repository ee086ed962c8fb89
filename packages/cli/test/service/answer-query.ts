import {
  type ModelEntry,
  type NumberedPage,
  type QueryRequest,
  type QueryTotal,
  readQueryRequest,
  type ReplyPage,
} from '@proj/contract';
import { type PageMetadata, paginate } from '@proj/paging';

import { type Answer, json, problem, refused } from './answer.ts';
import type { CityRecord, Model } from './cities.ts';
import { compare } from './compare.ts';
import { type FilterSlips, matches } from './matches.ts';
import { planErrors } from './plan-errors.ts';

/** Ways to get a query wrong. */
export interface QuerySlips extends FilterSlips {
  readonly nullIsSmallest?: boolean;
  readonly tiesShuffle?: boolean;
  readonly directionIgnored?: boolean;
  readonly filtersIgnored?: boolean;
  readonly recordsOneOff?: boolean;
}

/** Answers a body that was read. */
export function answerQuery(body: unknown, model: Model, slips: QuerySlips): Answer {
  const reading = readQueryRequest(body);
  const members = reading.ok ? reading.request : reading.wellFormed;
  const { query_model: name } = members;
  const unknown = name !== undefined && name !== model.entry.name;
  const errors = [
    ...(reading.ok ? [] : reading.errors),
    ...(unknown
      ? [{ pointer: '/query_model', code: 'unknown_model' as const, detail: 'No such model.' }]
      : planErrors(members, model.entry)),
  ];
  if (!reading.ok || errors.length > 0) return refused(errors);
  const list = sorted(reading.request, model, slips);
  const asked = numbered(list, reading.request.page, slips);
  if (asked === undefined) return notInList();
  const { result, page } = paginate(list, asked);
  const shown = result.map((record) =>
    Object.fromEntries(reading.request.query_attributes.map((one) => [one, record[one]])),
  );
  return json(
    200,
    { result: shown, page: withTotal(page, reading.request.query_total) },
    { 'server-timing': 'auth;dur=0, plan;dur=0, rows;dur=0, count;dur=0' },
  );
}

/** The page that holds a record has a number too; undefined where the list does not have it. */
function numbered(
  list: readonly CityRecord[],
  page: QueryRequest['page'],
  { recordsOneOff = false }: QuerySlips,
): NumberedPage | undefined {
  if ('page' in page) return page;
  const { containing, size } = page;
  const place = list.findIndex(({ id }) => id === String(containing['id']));
  if (place === -1) return undefined;
  return { page: Math.floor((place + (recordsOneOff ? 1 : 0)) / size) + 1, size };
}

function notInList(): Answer {
  const code = 'record_not_in_list';
  const detail = '/page/containing: the list has no record with this key.';
  return problem(code, { errors: [{ pointer: '/page/containing', code, detail }] });
}

/** As much of the total as a request asks for. */
function withTotal(page: PageMetadata, asked: QueryTotal = 'exact'): ReplyPage {
  if (asked === 'exact') return page;
  if (asked === 'none') return { ...page, total: null };
  const { up_to: limit } = asked;
  if (BigInt(page.total) <= BigInt(limit)) return page;
  return { ...page, total: null, total_at_least: String(limit + 1) };
}

/** How many lists of a model were sorted: every second one begins at the other end. */
const sortings = new WeakMap<Model, number>();

function sorted(
  { query_filter: filter, query_sort: sort = [] }: QueryRequest,
  model: Model,
  slips: QuerySlips,
): CityRecord[] {
  const { entry, records } = model;
  const kept = records.filter(
    (record) =>
      filter === undefined ||
      slips.filtersIgnored ||
      matches(filter, record, { entry, slips }) === true,
  );
  const sorting = (sortings.get(model) ?? 0) + 1;
  sortings.set(model, sorting);
  const arranged = slips.tiesShuffle && sorting % 2 === 0 ? kept.toReversed() : kept;
  return arranged.toSorted((a, b) => {
    for (const term of sort) {
      const order = compareBy(term, [a, b], { entry, slips });
      if (order !== 0) return order;
    }
    return slips.tiesShuffle ? 0 : compare(a['id'], b['id'], 'int64');
  });
}

type Term = NonNullable<QueryRequest['query_sort']>[number];

function compareBy(
  { attribute, direction, nulls }: Term,
  [a, b]: [CityRecord, CityRecord],
  context: { entry: ModelEntry; slips: QuerySlips },
): number {
  const { entry, slips } = context;
  const [left, right] = [a[attribute], b[attribute]];
  const sign = direction === 'desc' && !slips.directionIgnored ? -1 : 1;
  if (left === null || right === null) {
    const last =
      nulls === undefined ? (sign === 1) !== (slips.nullIsSmallest === true) : nulls === 'last';
    return (Number(left === null) - Number(right === null)) * (last ? 1 : -1);
  }
  return (
    sign * compare(left, right, entry.attributes.find(({ name }) => name === attribute)?.type ?? '')
  );
}
