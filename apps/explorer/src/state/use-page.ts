import type { Page, PageTotal, RequestedTotal } from '@proj/client';
import { useQuery } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';

import { browseClient } from '../api/clients.ts';
import { type ExactRecord, exactRecord } from '../values/exact-record.ts';
import { type Count, useCount, useCountsBeside } from './use-count.ts';
import type { ViewQuery } from './view/view-query.ts';

/** A page that was read. */
export interface LoadedPage {
  readonly query: ViewQuery;
  readonly records: readonly ExactRecord[];
  /** `null` where the records are counted beside the page, and are not yet, or cannot be. */
  readonly total: bigint | null;
  readonly hasNext: boolean;
  /** The version of the data; `null` where the token does not see it. */
  readonly dataVersion: string | null;
  /** When it was asked for, as a moment of `performance.now()`. */
  readonly askedAt: number;
}

/** What is known about the page of a view. */
export interface PageState {
  /** The page, or the one that was shown before it while it is loading: records stay visible. */
  readonly shown: LoadedPage | null;
  /** How much of its total is asked for with it. */
  readonly asked: RequestedTotal;
  readonly isCurrent: boolean;
  readonly isLoading: boolean;
  /** The browser has no connection; the page loads once it has. */
  readonly isOffline: boolean;
  readonly error: Error | null;
  /** Why the page will be retried, after how many failures. */
  readonly waiting: { readonly reason: Error; readonly failures: number } | null;
  /** What became of the count beside the page; `null` where the page has its total. */
  readonly count: Count | null;
  readonly retry: () => void;
}

/**
 * Reads the page of a view, with one request. Where that takes long, the page is read without a
 * total, so that its records are there at once, and the list is counted beside its pages.
 *
 * @param isKnown whether the number of the page is known; nothing is read while it is not
 */
export function usePage(query: ViewQuery, isKnown: boolean): PageState {
  const beside = useCountsBeside(query);
  const asked = beside.isOn ? 'none' : 'exact';
  const result = useQuery({ ...pageQuery(query, asked), enabled: isKnown });
  const count = useCount(query, beside.isOn);
  const last = useRef<LoadedPage | null>(null);
  if (result.data) last.current = result.data;
  const { failureReason, failureCount, fetchStatus } = result;
  const isLoading = fetchStatus === 'fetching';
  beside.watch(isLoading && failureReason === null);
  const shown = last.current?.query.model === query.model ? last.current : null;
  return {
    shown: shown && { ...shown, total: shown.total ?? count?.total ?? null },
    asked,
    isCurrent: result.data !== undefined && result.data === last.current,
    isLoading,
    isOffline: fetchStatus === 'paused',
    error: isLoading ? null : result.error,
    waiting:
      isLoading && failureReason !== null
        ? { reason: failureReason, failures: failureCount }
        : null,
    count,
    retry: () => void result.refetch({ cancelRefetch: true }),
  };
}

/** Where a page that was read is kept. */
export function pageKey(query: ViewQuery, asked: RequestedTotal): readonly unknown[] {
  return ['page', query, asked];
}

function pageQuery(query: ViewQuery, asked: RequestedTotal) {
  return {
    queryKey: pageKey(query, asked),
    queryFn: async ({ signal }: { signal: AbortSignal }) => readPage(query, asked, signal),
  };
}

/** Reads the page of a query. */
export async function readPage(
  query: ViewQuery,
  asked: RequestedTotal,
  signal: AbortSignal,
): Promise<LoadedPage> {
  const askedAt = performance.now();
  const page = await browseClient.query({ ...query, total: asked }, { signal });
  return loadedPage(page, query, askedAt);
}

/** What is kept of a page. */
export function loadedPage(
  { records, total, hasNext, dataVersion }: Page<Readonly<Record<string, unknown>>, PageTotal>,
  query: ViewQuery,
  askedAt: number,
): LoadedPage {
  return { query, records: records.map(exactRecord), total, hasNext, dataVersion, askedAt };
}
