import { ProblemError } from '@proj/client';
import { QueryCache, QueryClient } from '@tanstack/preact-query';

import { refuseToken } from '../session/session.ts';
import { mostRetries, waitMs } from './retries.ts';

/** Caches what was read, and decides what is retried after which wait. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof ProblemError && error.status === 401) refuseToken();
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // Pages hold bigints, which the comparison of shared structures does not know.
      structuralSharing: false,
      retry: (failures, error) => failures < mostRetries(error),
      retryDelay: waitMs,
    },
  },
});
