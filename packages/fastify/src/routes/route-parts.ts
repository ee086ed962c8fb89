import type { AnsweringEngine } from '@proj/engine';

import type { Ask } from '../endpoint/ask.ts';
import type { AccessChecks } from '../reply/lasting-access.ts';
import type { OpenWatches } from '../reply/watch-reply.ts';
import type { RunningExports } from '../reply/export-reply.ts';

/** Limits of a caller; what a host leaves out is unlimited. */
export interface Bounds {
  /**
   * Until the reply is sent, so that callers who read none cannot start more; if they leave, until
   * the query has ended. @returns ends it @throws {HttpProblem} `rate_limited` without a slot
   */
  takeSlot?(ask: Ask): (() => void) | Promise<() => void>;
  /** Reserves for a query. @throws {HttpProblem} `quota_exceeded` when nothing is left */
  takeRecords?(ask: Ask): void | Promise<void>;
  /** @throws {HttpProblem} `quota_exceeded` when the export has more records than are left */
  reserveRecords?(ask: Ask, total: bigint): Promise<void>;
  /** Until the reply ends. @throws {HttpProblem} `rate_limited` when no slot is left */
  takeWatch?(ask: Ask): Promise<void>;
  /** Takes memory for a text until it is sent, or its caller has left. */
  holdMemory?(ask: Ask, text: string): Promise<void> | undefined;
}

/** Of all that read records. */
export const READS = { methods: ['POST', 'QUERY'], access: 'caller', reads: true } as const;

export interface RouteParts {
  readonly engine: AnsweringEngine;
  readonly bounds: Bounds;
  readonly checks: AccessChecks;
  readonly exports: RunningExports;
  readonly watches: OpenWatches;
  /** Where callers reach the service, without a trailing slash. */
  readonly publicUrl: string | undefined;
}
