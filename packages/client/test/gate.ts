import type { ServerResponse } from 'node:http';

import type { Answer, ReceivedRequest } from './http-server.ts';

/** Holds requests back until the test lets them through. */
export interface Gate {
  readonly answer: Answer;
  /** The page numbers of the requests that wait, oldest first. */
  readonly waiting: () => number[];
  /** Answers the request for that page. */
  readonly release: (page: number) => void;
  /** Answers every request from now on at once, and those that wait. */
  readonly open: () => void;
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
  let isOpen = false;
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
      if (isOpen) return service(request, response);
      const page = pageOf(request);
      held.set(page, { request, response });
      response.on('close', () => {
        if (held.delete(page)) givenUp.push(page);
      });
    },
    waiting: () => [...held.keys()],
    release,
    open: () => {
      isOpen = true;
      for (const page of held.keys()) release(page);
    },
    givenUp: () => givenUp.toSorted((left, right) => left - right),
  };
}

/** The page number that a request asks for. */
export function pageOf({ body }: ReceivedRequest): number {
  return (JSON.parse(body) as { page: { page: number } }).page.page;
}
