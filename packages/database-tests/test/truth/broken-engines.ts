import { type QueryRequest, readQueryRequest } from '@proj/contract';
import { type Answer, type Engine, EVERYTHING, type Grant } from '@proj/engine';
import { pageMetadata } from '@proj/paging';

import type { Random } from './random.ts';
import type { Pace } from './writers.ts';
import { FULL_SPEED, OFTEN } from './paces.ts';

/** How one question is answered. */
type Ask = (request: QueryRequest, grant: Grant) => Promise<Answer>;

/** A mechanism that is broken on purpose. */
export interface RequestError {
  /** What an engine with this fault does. */
  readonly does: string;
  /**
   * When others write; never where undefined, so that only the fault itself can make a reply wrong.
   */
  readonly pace: Pace | undefined;
  /** Answers wrongly, with the answers of an engine that is right. */
  answering(ask: Ask, random: Random): Ask;
}

/** An engine with a fault. */
export function broken(engine: Engine, error: RequestError, random: Random): Pick<Engine, 'query'> {
  const answer = error.answering((request, grant) => engine.query(request, grant), random);
  return {
    async query(body, grant) {
      const reading = readQueryRequest(body);
      if (!reading.ok) throw new Error('The requests of the truth tests have no errors.');
      return answer(reading.request, grant);
    },
  };
}

export const FAULTS: readonly RequestError[] = [
  {
    does: 'sends a kept reply without asking whether it still holds',
    pace: OFTEN,
    answering(ask, random) {
      const kept = new Map<string, Answer>();
      return async (request, grant) => {
        const known = kept.get(keyOf(request, grant));
        if (known !== undefined && random.chance(0.1)) return known;
        return keep(kept, keyOf(request, grant), await ask(request, grant));
      };
    },
  },
  {
    does: 'lets a caller join a read that began before the caller came',
    pace: FULL_SPEED,
    answering(ask) {
      const underWay = new Map<string, Promise<Answer>>();
      return (request, grant) => {
        const key = keyOf(request, grant);
        const joined = underWay.get(key) ?? ask(request, grant).finally(() => underWay.delete(key));
        underWay.set(key, joined);
        return joined;
      };
    },
  },
  {
    does: 'reads the rows in one snapshot and the total in the next',
    pace: FULL_SPEED,
    answering: (ask) => async (request, grant) => {
      const { result } = await ask(request, grant);
      return { ...(await ask(request, grant)), result };
    },
  },
  {
    does: 'finds the rows by an index that it did not drop, beside the true total',
    pace: OFTEN,
    answering(ask, random) {
      const kept = new Map<string, Answer>();
      return async (request, grant) => {
        const answer = await ask(request, grant);
        const { result } = kept.get(keyOf(request, grant)) ?? answer;
        keep(kept, keyOf(request, grant), answer);
        return random.chance(0.2) ? { ...answer, result } : answer;
      };
    },
  },
  {
    does: 'keeps totals without regard to who may see which rows',
    pace: undefined,
    answering(ask) {
      const totals = new Map<string, string>();
      return async (request, grant) => {
        const answer = await ask(request, grant);
        const key = JSON.stringify([request.query_model, request.query_filter]);
        const total = totals.get(key) ?? answer.page.total;
        if (total === null || request.query_total !== undefined) return answer;
        totals.set(key, total);
        return { ...answer, page: pageMetadata(pageOf(answer), BigInt(total)) };
      };
    },
  },
  {
    does: 'sends the kept reply of another audience',
    pace: undefined,
    answering(ask) {
      const kept = new Map<string, Answer>();
      return async (request, grant) =>
        kept.get(keyOf(request)) ?? keep(kept, keyOf(request), await ask(request, grant));
    },
  },
  {
    does: 'is one off with a total now and then',
    pace: undefined,
    answering: (ask, random) => async (request, grant) => {
      const answer = await ask(request, grant);
      if (answer.page.total === null || random.chance(0.98)) return answer;
      const total = BigInt(answer.page.total) + 1n;
      return { ...answer, page: pageMetadata(pageOf(answer), total) };
    },
  },
  {
    does: 'has two neighbouring rows the wrong way round now and then',
    pace: undefined,
    answering: (ask, random) => async (request, grant) => {
      const answer = await ask(request, grant);
      const [first, second, ...rest]: unknown[] = JSON.parse(answer.result);
      if (second === undefined || random.chance(0.95)) return answer;
      return { ...answer, result: JSON.stringify([second, first, ...rest]) };
    },
  },
  {
    does: 'gives the rows of the next page now and then',
    pace: undefined,
    answering: (ask, random) => async (request, grant) => {
      const { page = Number.MAX_SAFE_INTEGER, size } = { page: undefined, ...request.page };
      if (page === Number.MAX_SAFE_INTEGER || random.chance(0.95)) return ask(request, grant);
      const next = await ask({ ...request, page: { page: page + 1, size } }, grant);
      return { ...next, page: { ...next.page, page: String(page) } };
    },
  },
  {
    does: 'gives the page before that which holds a record now and then',
    pace: undefined,
    answering: (ask, random) => async (request, grant) => {
      const answer = await ask(request, grant);
      const { page, size } = pageOf(answer);
      if ('page' in request.page || page === 1 || random.chance(0.8)) return answer;
      return ask({ ...request, page: { page: page - 1, size } }, grant);
    },
  },
  {
    does: 'finds a record that its caller may not see',
    pace: undefined,
    answering: (ask) => async (request, grant) => {
      if ('page' in request.page) return ask(request, grant);
      const { page } = await ask(request, EVERYTHING);
      return { ...(await ask(request, grant).catch(() => ask(request, EVERYTHING))), page };
    },
  },
  {
    does: 'shows a total that was not asked for now and then',
    pace: undefined,
    answering: (ask, random) => async (request, grant) => {
      if (request.query_total !== 'none' || random.chance(0.8)) return ask(request, grant);
      return ask({ ...request, query_total: 'exact' }, grant);
    },
  },
  {
    does: 'takes NULL for the smallest value',
    pace: undefined,
    answering: (ask) => (request, grant) => {
      const sort = request.query_sort?.map((term) => ({
        nulls: term.direction === 'asc' ? ('first' as const) : ('last' as const),
        ...term,
      }));
      return ask({ ...request, query_sort: sort }, grant);
    },
  },
];

function pageOf({ page: { page, size } }: Answer): { page: number; size: number } {
  return { page: Number(page), size: Number(size) };
}

function keyOf(request: QueryRequest, grant?: Grant): string {
  const rows =
    grant?.models === 'all' || grant === undefined
      ? undefined
      : grant.models.get(request.query_model)?.rowPolicy;
  return JSON.stringify([request, rows]);
}

function keep(kept: Map<string, Answer>, key: string, answer: Answer): Answer {
  kept.set(key, answer);
  return answer;
}
