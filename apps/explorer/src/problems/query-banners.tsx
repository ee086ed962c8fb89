import type { UseQueryResult } from '@tanstack/preact-query';

import type { ViewState } from '../state/view-state.ts';
import { ProblemBanner } from './problem-banner.tsx';
import { WaitingBanner } from './waiting-banner.tsx';

interface QueryBannersProps {
  readonly query: Pick<
    UseQueryResult,
    'data' | 'error' | 'failureReason' | 'failureCount' | 'fetchStatus' | 'refetch'
  >;
  readonly view: ViewState;
  /** What is said while it is read for the first time; undefined where that is said elsewhere. */
  readonly pending?: string;
}

/** Why a part of the page is not there, or not yet, with a button that reads it again. */
export function QueryBanners({ query, view, pending }: QueryBannersProps) {
  const { data, error, failureReason: reason, failureCount: failures, fetchStatus } = query;
  const retry = () => void query.refetch();
  if (fetchStatus === 'paused')
    return (
      <div class="banner waiting" role="status">
        <p>You are offline. It loads when the connection is back.</p>
      </div>
    );
  if (fetchStatus === 'idle')
    return error && <ProblemBanner error={error} view={view} hasView={false} onRetry={retry} />;
  if (reason !== null)
    return (
      <WaitingBanner
        key={failures}
        reason={reason}
        failures={failures}
        hasView={false}
        onRetry={retry}
      />
    );
  if (data !== undefined || pending === undefined) return null;
  return (
    <p class="hint" role="status">
      {pending}
    </p>
  );
}
