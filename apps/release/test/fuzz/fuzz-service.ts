import * as fc from 'fast-check';

import { type FuzzRequest, fuzzRequest } from './request.ts';
import { faultOf } from './verdict.ts';
import { Wire } from './wire.ts';

/** What is sent to a service. */
export interface FuzzPlan {
  readonly port: number;
  /** How many requests are sent, one after the other. */
  readonly count: number;
  /** Equal seeds make equal requests. */
  readonly seed: number;
}

/** What became of it. */
export interface FuzzOutcome {
  readonly sent: number;
  /** How many replies had which status; `closed` is a connection that ended without one. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** What is wrong, with the shortest request that shows it; undefined where nothing is. */
  readonly failure: string | undefined;
}

/** A query may take that long; one that has not ended by then hangs. */
const REPLY_MS = 60_000;

/** Sends generated requests until one is answered as none may be, and makes that one short. */
export async function fuzzService({ port, count, seed }: FuzzPlan): Promise<FuzzOutcome> {
  const wire = new Wire(port, REPLY_MS);
  const outcomes = new Map<string, number>();
  const judged = fc.asyncProperty(fuzzRequest, async (request) => {
    const exchange = await wire.send(request);
    const statuses = exchange.replies.map(({ status }) => String(status));
    for (const outcome of statuses.length === 0 ? ['closed'] : statuses)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const fault = faultOf(request, exchange);
    if (fault !== undefined) throw new Error(fault);
  });
  const details = await fc.check(judged, { numRuns: count, seed });
  wire.close();
  const failure = details.failed ? describeFailure(details) : undefined;
  return { sent: details.numRuns, outcomes, failure };
}

function describeFailure(details: fc.RunDetails<[FuzzRequest]>): string {
  const [request] = details.counterexample ?? [];
  const { errorInstance: error } = details;
  return [
    error instanceof Error ? error.message : String(error),
    '  the shortest request that shows it, a character for each byte:',
    `  ${JSON.stringify(request?.bytes)}`,
  ].join('\n');
}
