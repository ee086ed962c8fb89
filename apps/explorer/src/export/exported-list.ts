import type { ExportFile, ExportFileOptions, ModelEntry } from '@proj/client';

import { retryingClient, retryingGroupsClient } from '../api/clients.ts';
import { clientGroups, isOfGroups } from '../state/view/groups-query.ts';
import type { ViewQuery } from '../state/view/view-query.ts';
import { type ExactRecord, exactGroup, exactRecord } from '../values/exact-record.ts';

/** All records of a list, or all of its groups. */
export interface ExportedList {
  /** As the service streams them. */
  readonly file: (options: ExportFileOptions) => Promise<ExportFile>;
  /** Page by page. */
  readonly pages: (signal: AbortSignal) => AsyncIterable<ExportedPage>;
}

interface ExportedPage {
  readonly records: readonly ExactRecord[];
  readonly total: bigint;
}

const MOST_RECORDS_PER_REQUEST = 1000;

/** What a query lists; its page and its size do not matter. */
export function exportedList(query: ViewQuery, model: ModelEntry): ExportedList {
  const size = Math.min(model.max_page_size, MOST_RECORDS_PER_REQUEST);
  if (isOfGroups(query)) {
    const groups = retryingGroupsClient.groups(clientGroups({ ...query, size }));
    return {
      file: async (options) => groups.exportFile(options),
      pages: (signal) => exactPages(groups.pages({ signal }), exactGroup),
    };
  }
  const { page: _page, size: _size, ...list } = query;
  return {
    file: async (options) => retryingClient.exportFile(list, options),
    pages: (signal) => exactPages(retryingClient.pages({ ...list, size }, { signal }), exactRecord),
  };
}

async function* exactPages<Item>(
  pages: AsyncIterable<{ readonly records: readonly Item[]; readonly total: bigint }>,
  exact: (item: Item) => ExactRecord,
): AsyncIterable<ExportedPage> {
  for await (const { records, total } of pages) yield { records: records.map(exact), total };
}
