import { LRUCache } from 'lru-cache';

import { Station } from './station.ts';

/** The page of a list. */
export type PageKey = string;

/** Requests that wait for an answer, by when each came. */
export type Waiting = number[];

/** One process of the service: its core, and what it keeps. */
export class ServiceProcess {
  readonly cpu = new Station(1);
  /** The versions of the replies that are kept. */
  readonly replies: LRUCache<PageKey, number>;
  /** Reads that have begun, with the equal requests that came since and share the next one. */
  readonly reads = new Map<PageKey, Waiting>();
  /** Who waits for the next check of the version; undefined while none is under way. */
  checks: { readonly key: PageKey; readonly came: number }[] | undefined;

  constructor(keptReplies: number) {
    this.replies = new LRUCache({ max: keptReplies });
  }
}
