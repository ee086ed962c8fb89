import { pageSequence } from './page-sequence.ts';
import { queryBody } from '../subjects/query-body.ts';
import type { Outcome, Work } from '../subjects/subject.ts';
import type { LatencyCounts } from './latencies.ts';

/** A load as it is sent to the process that makes it. */
export interface Load {
  readonly url: string;
  /** Default: POST. */
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For each connection the bodies that it sends, in turn. */
  readonly bodies: readonly (readonly string[])[];
  /** Who sends each of them: its header `authorization`. Default: that of `headers`. */
  readonly authorizations?: readonly (readonly string[])[];
  /** Whether a connection begins anew after its last body. */
  readonly again: boolean;
  readonly seconds: number;
  readonly amount?: number | undefined;
}

/** An outcome as it comes back. */
export interface LoadResult extends Omit<Outcome, 'latencies'> {
  readonly counts: LatencyCounts;
}

/** Deals the pages of a scenario out to the connections, so that no two of them walk in step. */
export function loadOf(
  { scenario, turn, connections, seconds, amount }: Work,
  target: Pick<Load, 'url' | 'headers'>,
): Load {
  const bodies = pageSequence(scenario, turn).map((page) =>
    queryBody(scenario.rows, { page, size: scenario.size }),
  );
  const dealt = Array.from({ length: connections }, (_, own) =>
    bodies.filter((_body, index) => index % connections === own),
  );
  return {
    ...target,
    bodies: dealt.map((share) => (share.length === 0 ? bodies : share)),
    again: scenario.pattern !== 'distinct',
    seconds,
    amount,
  };
}
