import { useQuery } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';

import { browseClient } from '../api/clients.ts';
import { type ExactRecord, exactRecord } from '../values/exact-record.ts';
import type { ViewQuery } from './view-query.ts';

/** A page that was read. */
export interface LoadedPage {
  readonly query: ViewQuery;
  readonly records: readonly ExactRecord[];
  readonly total: bigint;
}

/** What is known about the page of a view. */
export interface PageState {
  /** The page, or the one that was shown before it while it is loading: records stay visible. */
  readonly shown: LoadedPage | null;
  readonly isCurrent: boolean;
  readonly isLoading: boolean;
  /** The browser has no connection; the page loads once it has. */
  readonly isOffline: boolean;
  readonly error: Error | null;
  /** Why the page will be retried, after how many failures. */
  readonly waiting: { readonly reason: Error; readonly failures: number } | null;
  readonly retry: () => void;
}

/** Reads the page of a view, with one request. */
export function usePage(query: ViewQuery): PageState {
  const result = useQuery({
    queryKey: ['page', query],
    queryFn: async ({ signal }): Promise<LoadedPage> => {
      const { records, total } = await browseClient.query(query, { signal });
      return { query, records: records.map(exactRecord), total };
    },
  });
  const last = useRef<LoadedPage | null>(null);
  if (result.data) last.current = result.data;
  const { failureReason, failureCount, fetchStatus } = result;
  const isLoading = fetchStatus === 'fetching';
  return {
    shown: last.current?.query.model === query.model ? last.current : null,
    isCurrent: result.data !== undefined && result.data === last.current,
    isLoading,
    isOffline: fetchStatus === 'paused',
    error: isLoading ? null : result.error,
    waiting:
      isLoading && failureReason !== null
        ? { reason: failureReason, failures: failureCount }
        : null,
    retry: () => void result.refetch({ cancelRefetch: true }),
  };
}
