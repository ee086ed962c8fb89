import type { ModelEntry } from '@proj/client';
import { useQuery } from '@tanstack/preact-query';

import { browseClient } from '../api/clients.ts';
import { keyFilter } from '../state/filter/references.ts';
import { viewFilter } from '../state/view/view-query.ts';
import { type ExactRecord, exactRecord } from '../values/exact-record.ts';

/** Reads all attributes of the record with that key; `null` where there is none. */
export function useRecord(model: ModelEntry, key: readonly string[]) {
  return useQuery({
    queryKey: ['record', model.name, key],
    queryFn: async ({ signal }): Promise<ExactRecord | null> => {
      const filter = viewFilter({ filter: keyFilter(model, key), search: '' }, model);
      const attributes = model.attributes.map(({ name }) => name);
      const query = { model: model.name, attributes, page: 1, size: 1, ...(filter && { filter }) };
      const { records } = await browseClient.query(query, { signal });
      return records.map(exactRecord)[0] ?? null;
    },
  });
}
