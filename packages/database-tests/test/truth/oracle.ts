import type { Answer } from '@proj/engine';
import { LRUCache } from 'lru-cache';

import { facetsText } from './facets.ts';
import type { History, Window } from './history.ts';
import { Listing } from './listing.ts';
import { type Request, shapeOf } from './requests.ts';

/** What of an answer can be wrong. */
export type Reply = Pick<Answer, 'result' | 'page'>;

/** A reply that shows none of the states that it may show. */
export interface Mismatch {
  readonly request: Request;
  readonly reply: Reply;
  readonly window: Window;
  /** What the reply should have been in the newest of these states. */
  readonly expected: Reply;
  /** The total in each of these states, the oldest first. */
  readonly totals: readonly string[];
  /**
   * The newest kept state outside the window that the reply shows: before the window it is stale,
   * after it nobody can know it.
   */
  readonly shows: number | undefined;
}

/** Says of each reply whether it is true, by the history of the data. */
export class Oracle {
  readonly #history: History;
  readonly #listings = new LRUCache<string, Listing>({ max: 60 });

  constructor(history: History) {
    this.#history = history;
  }

  /** The mismatch, unless the reply shows a state of the window. */
  check(request: Request, reply: Reply, window: Window): Mismatch | undefined {
    const listing = this.#listing(request, window);
    for (let state = window.oldest; state <= window.newest; state++) {
      listing.moveTo(state);
      if (!shows(listing, request, reply)) continue;
      // The reply may show a later state, too; this one it must have reached.
      this.#history.see(state);
      return undefined;
    }
    return this.#mismatch(request, reply, window);
  }

  /** A listing of the request's shape that can be moved to the window. */
  #listing(request: Request, { oldest }: Window): Listing {
    const shape = shapeOf(request.question);
    const key = JSON.stringify(shape);
    const known = this.#listings.get(key);
    // What has changed since may be forgotten, and a walk of many states costs more than a new
    // listing.
    if (
      known !== undefined &&
      known.state >= this.#history.oldest &&
      Math.abs(oldest - known.state) < 500
    )
      return known;
    const made = new Listing(this.#history, shape);
    this.#listings.set(key, made);
    return made;
  }

  #mismatch(request: Request, reply: Reply, window: Window): Mismatch {
    const listing = new Listing(this.#history, shapeOf(request.question));
    let found: number | undefined;
    for (
      let state = this.#history.newest;
      state >= this.#history.oldest && found === undefined;
      state--
    ) {
      listing.moveTo(state);
      if (shows(listing, request, reply)) found = state;
    }
    const totals: string[] = [];
    for (let state = window.oldest; state <= window.newest; state++) {
      listing.moveTo(state);
      totals.push(String(listing.rows.length));
    }
    return { request, reply, window, expected: replyOf(listing, request), totals, shows: found };
  }
}

/** What stands for the error of a record that the list does not have. */
export const NOT_IN_LIST: Reply = {
  result: '["not in the list"]',
  page: { page: '0', size: '0', total: '0', has_next: false },
};

/** A request whose page has a number. */
interface NumberedRequest extends Request {
  readonly page: number;
}

/** The request with the number of its page; undefined where the list does not have the record. */
function numbered({ rows }: Listing, request: Request): NumberedRequest | undefined {
  const { page } = request;
  if (typeof page === 'number') return { ...request, page };
  const place = rows.findIndex(({ id }) => id === page.id);
  return place === -1 ? undefined : { ...request, page: Math.floor(place / request.size) + 1 };
}

/** Compares piece by piece, so that a reply of another state costs little. */
function shows(listing: Listing, asked: Request, { result, page }: Reply): boolean {
  const request = numbered(listing, asked);
  if (request === undefined || result === NOT_IN_LIST.result)
    return request === undefined && result === NOT_IN_LIST.result;
  const metadata = metadataOf(listing, request);
  const members = ['page', 'size', 'total', 'total_at_least', 'has_next'] as const;
  if (members.some((member) => page[member] !== metadata[member])) return false;
  if (request.facets !== undefined) return result === facetsText(listing.rows, request.facets);
  let text = '[';
  let read = 0;
  for (const row of pageOf(listing, request)) {
    text += recordText(row, request);
    if (!result.startsWith(text, read)) return false;
    read += text.length;
    text = ',';
  }
  return result.slice(read) === (text === '[' ? '[]' : ']');
}

function replyOf(listing: Listing, asked: Request): Reply {
  const request = numbered(listing, asked);
  if (request === undefined) return NOT_IN_LIST;
  const page = metadataOf(listing, request);
  if (request.facets !== undefined)
    return { result: facetsText(listing.rows, request.facets), page };
  const records = pageOf(listing, request).map((row) => recordText(row, request));
  return { result: `[${records.join(',')}]`, page };
}

function pageOf({ rows }: Listing, { page, size }: NumberedRequest): Listing['rows'] {
  return rows.slice((page - 1) * size, page * size);
}

/** Worked out anew, without the engine's own arithmetic. */
function metadataOf(
  { rows: { length } }: Listing,
  { page, size, total }: NumberedRequest,
): Reply['page'] {
  const limit = typeof total === 'object' ? total.up_to : total === 'none' ? 0 : Infinity;
  const isKnown = limit > 0 && length <= limit;
  return {
    page: String(page),
    size: String(size),
    total: isKnown ? String(length) : null,
    ...(!isKnown && limit > 0 && { total_at_least: String(limit + 1) }),
    has_next: BigInt(page) * BigInt(size) < BigInt(length),
  };
}

function recordText(row: Listing['rows'][number], { question: { attributes } }: Request): string {
  return JSON.stringify(Object.fromEntries(attributes.map((name) => [name, row[name] ?? null])));
}
