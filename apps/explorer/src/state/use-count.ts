import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';

import { browseClient } from '../api/clients.ts';
import type { ViewQuery } from './view/view-query.ts';

/** A page that takes longer, in milliseconds, is read without a total. */
const SLOW_MS = 1000;

/** A count beside the pages of a list. */
export interface Count {
  /** `null` as long as it runs, and where it failed. */
  readonly total: bigint | null;
  readonly isFailed: boolean;
}

/** Whether the list of a page is counted beside its pages. */
export interface CountsBeside {
  readonly isOn: boolean;
  /**
   * Called in each rendering with whether the page is being read. A list whose page takes longer
   * than `SLOW_MS` is counted beside its pages.
   */
  readonly watch: (isReading: boolean) => void;
}

/** Decides which lists are counted beside their pages: those of which a page took long. */
export function useCountsBeside(query: ViewQuery): CountsBeside {
  const list = keyOf(query);
  const [slow, setSlow] = useState<ReadonlySet<string>>(new Set());
  const [isReading, setReading] = useState(false);
  const isOn = slow.has(list);
  useEffect(() => {
    if (!isReading || isOn) return undefined;
    const timer = setTimeout(() => setSlow((known) => new Set([...known, list])), SLOW_MS);
    return () => clearTimeout(timer);
  }, [list, isReading, isOn]);
  return { isOn, watch: (now) => now !== isReading && setReading(now) };
}

/** Counts a list, whichever of its pages is shown; `null` where that is off. */
export function useCount(query: ViewQuery, isOn: boolean): Count | null {
  const { model, filter, related, attributes } = query;
  const { data, isError } = useQuery({
    queryKey: ['count', keyOf(query)],
    enabled: isOn,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const [first = ''] = attributes;
      const others = { ...(filter && { filter }), ...(related && { related }) };
      const one = { model, attributes: [first], page: 1, size: 1, ...others };
      return (await browseClient.query(one, { signal })).total;
    },
  });
  return isOn ? { total: data ?? null, isFailed: isError } : null;
}

function keyOf({ model, filter, related }: ViewQuery): string {
  return JSON.stringify([model, filter ?? null, related ?? null]);
}
