import type { ServerResponse } from 'node:http';

import type { Answer, ReceivedRequest } from './http-server.ts';

/** Holds requests back until the test lets them through. */
export interface Gate {
  readonly answer: Answer;
  /** The page numbers of the requests that wait, oldest first. */
  readonly waiting: () => number[];
  /** Answers the request for that page. */
  readonly release: (page: number) => void;
  /** The page numbers of the requests that the client aborted. */
  readonly givenUp: () => number[];
}

interface Held {
  readonly request: ReceivedRequest;
  readonly response: ServerResponse;
}

/** Puts a gate before a service. */
export function gate(service: Answer): Gate {
  const held = new Map<number, Held>();
  const givenUp: number[] = [];
  const release = (page: number): void => {
    const found = held.get(page);
    if (!found)
      throw new Error(
        `No request for page ${page} waits; those for ${[...held.keys()].join(', ')} do`,
      );
    held.delete(page);
    service(found.request, found.response);
  };
  return {
    answer: (request, response) => {
      const page = pageOf(request);
      held.set(page, { request, response });
      response.on('close', () => {
        if (held.delete(page)) givenUp.push(page);
      });
    },
    waiting: () => [...held.keys()],
    release,
    givenUp: () => givenUp.toSorted((left, right) => left - right),
  };
}

/**
 * Answers page 1 at once, and then as many requests as the client may have at a time, the last one
 * first.
 */
export function newestFirst(
  service: Answer,
  { concurrency, last = Infinity }: { readonly concurrency: number; readonly last?: number },
): Answer {
  const { answer, waiting, release } = gate(service);
  let answered = 0;
  return (request, response) => {
    answer(request, response);
    const most = answered === 0 ? 1 : Math.min(concurrency, last - answered);
    const pages = waiting();
    if (pages.length < most) return;
    answered += most;
    for (const page of pages.toReversed()) release(page);
  };
}

/** The page number that a request asks for. */
export function pageOf({ body }: ReceivedRequest): number {
  return (JSON.parse(body) as { page: { page: number } }).page.page;
}
