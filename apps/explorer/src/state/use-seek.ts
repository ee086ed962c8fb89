import { type ModelEntry, ProblemError } from '@proj/client';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useLayoutEffect } from 'preact/hooks';

import { browseClient } from '../api/clients.ts';
import { operandValue } from './filter/operand-value.ts';
import { type LoadedPage, loadedPage, pageKey } from './use-page.ts';
import type { ViewQuery } from './view/view-query.ts';
import type { ViewState } from './view-state.ts';
import { replaceView } from './view/view-store.ts';

/**
 * Finds the page that holds the record of a view, whatever its filter and order, and goes there.
 * Where the list does not have the record, the page is the first one.
 *
 * @returns whether the record was looked for and is not in the list
 */
export function useSeek(view: ViewState, query: ViewQuery, model: ModelEntry): boolean {
  const { record, seeks } = view;
  const cache = useQueryClient();
  const key = JSON.stringify([record, query.filter ?? null]);
  const { data: found, error } = useQuery({
    queryKey: ['seek', key, query],
    enabled: seeks,
    queryFn: async ({ signal }): Promise<LoadedPage> => {
      const { page: _page, ...list } = query;
      const askedAt = performance.now();
      const containing = keyValues(model, record ?? []);
      const page = await browseClient.pageOf({ ...list, containing }, { signal });
      return loadedPage(page, { ...query, page: page.number }, askedAt);
    },
  });
  // Before the next event: an effect after the frame would undo a change of the view meanwhile.
  useLayoutEffect(() => {
    if (!seeks) return;
    if (found !== undefined) {
      // The page that was found is also that of the view, so it is put into the cache instead of
      // being read again.
      cache.setQueryData(pageKey(found.query, 'exact'), found);
      replaceView({ page: found.query.page, seeks: false });
    } else if (error !== null) replaceView({ page: 1, seeks: false });
  }, [seeks, found, error]);
  return error instanceof ProblemError && error.code === 'record_not_in_list';
}

function keyValues({ key, attributes }: ModelEntry, texts: readonly string[]) {
  return Object.fromEntries(
    key.map((name, index) => {
      const type = attributes.find((entry) => entry.name === name)?.type ?? 'other';
      return [name, operandValue(type, texts[index] ?? '')];
    }),
  );
}
