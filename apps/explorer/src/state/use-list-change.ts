import {
  type ListChange,
  listChange,
  type PageTotal,
  ProblemError,
  type RequestedTotal,
  type WatchedState,
} from '@proj/client';
import { useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';

import { browseClient } from '../api/clients.ts';
import { type LoadedPage, type PageState, readPage } from './use-page.ts';
import { useIsVisible } from './use-is-visible.ts';
import type { ViewQuery } from './view/view-query.ts';

/** Between two states of the list are so many milliseconds at least. */
const EVERY_MS = 2000;

/** A state of the list of a view. */
interface SeenState {
  readonly state: WatchedState<PageTotal>;
  /** The first one since the list is watched: it need not be another one than before. */
  readonly isFirst: boolean;
  /** When it came, as a moment of `performance.now()`. */
  readonly at: number;
}

/**
 * How the list of a view differs from the page that is shown of it. `null` where it does not, or
 * where nobody knows: the service watches no lists, or not this one, or is away.
 */
export function useListChange(query: ViewQuery, page: PageState, isOn: boolean): ListChange | null {
  const { shown, isCurrent, asked } = page;
  const seen = useStates(query, asked, isOn && shown !== null);
  const change = shown && seen && isCurrent ? changeOf(shown, seen) : null;
  const isUnsure = change !== null && !change.more;
  const isOther = useIsOther({ query, page, isUnsure, version: seen?.at });
  return isUnsure && !isOther ? null : change;
}

function changeOf(shown: LoadedPage, { state, isFirst, at }: SeenState): ListChange | null {
  if (at < shown.askedAt) return null;
  // A token that sees no versions gets a further state only where the list has changed.
  const isSilent = state.dataVersion === null && !isFirst;
  return listChange(shown, state) ?? (isSilent ? { more: null, text: 'changed' } : null);
}

interface Doubt {
  readonly query: ViewQuery;
  readonly page: PageState;
  readonly isUnsure: boolean;
  /** Another one for each state. */
  readonly version: number | undefined;
}

/**
 * Whether the records of the page are others where its total does not say so: the version of the
 * data may be that of other tables too. The page is read once for each state, and no more once it
 * is found to be another one.
 */
function useIsOther({ query, page: { shown, asked }, isUnsure, version }: Doubt): boolean {
  const found = useRef<number | null>(null);
  const isFound = shown !== null && found.current === shown.askedAt;
  const { data } = useQuery({
    queryKey: ['again', query, asked, version],
    enabled: isUnsure && !isFound,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }) => readPage(query, asked, signal),
  });
  if (shown && data && textOf(data) !== textOf(shown)) found.current = shown.askedAt;
  return shown !== null && found.current === shown.askedAt;
}

function textOf({ records }: LoadedPage): string {
  return JSON.stringify(records);
}

/** Models of which the service watches no lists. */
const unwatched = new Set<string>();

/** The latest state of a list while the page is visible: a browser has few connections. */
function useStates(query: ViewQuery, total: RequestedTotal, isOn: boolean): SeenState | null {
  const [seen, setSeen] = useState<SeenState | null>(null);
  const isVisible = useIsVisible();
  const { page: _page, size: _size, ...list } = query;
  const isWatched = isOn && isVisible && !unwatched.has(query.model);
  useEffect(() => {
    if (!isWatched) return undefined;
    const leaving = new AbortController();
    const follow = async (): Promise<void> => {
      let isFirst = true;
      const options = { everyMs: EVERY_MS, signal: leaving.signal };
      for await (const state of browseClient.watch({ ...list, total }, options)) {
        setSeen({ state, isFirst, at: performance.now() });
        isFirst = false;
      }
    };
    follow().catch((error: unknown) => {
      if (error instanceof ProblemError && error.status === 404) unwatched.add(query.model);
    });
    return () => {
      leaving.abort();
      setSeen(null);
    };
  }, [JSON.stringify([list, total]), isWatched]);
  return seen;
}
