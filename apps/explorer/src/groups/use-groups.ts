import { keepPreviousData, useQuery } from '@tanstack/preact-query';

import { groupsClient } from '../api/clients.ts';
import { clientGroups, type ViewGroupsQuery } from '../state/view/groups-query.ts';
import { type ExactRecord, exactGroup } from '../values/exact-record.ts';

/** A page of groups. */
export interface GroupsPage {
  /** What the groups are of: while others are read, those before them stay. */
  readonly query: ViewGroupsQuery;
  readonly groups: readonly ExactRecord[];
  /** How many groups there are. */
  readonly total: bigint;
}

/** Reads a page of the groups of a view with one request. */
export function useGroups(query: ViewGroupsQuery) {
  return useQuery({
    queryKey: ['groups', query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<GroupsPage> => {
      const found = await groupsClient.groups(clientGroups(query)).page(query.page, { signal });
      return { query, groups: found.records.map(exactGroup), total: found.total };
    },
  });
}
