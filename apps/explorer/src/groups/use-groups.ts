import type { GroupsQuery, ModelEntry } from '@proj/client';
import { groupName } from '@proj/contract';
import { keepPreviousData, useQuery } from '@tanstack/preact-query';

import { groupsClient } from '../api/clients.ts';
import { viewFilter } from '../state/view/view-query.ts';
import type { GroupView, ViewState } from '../state/view-state.ts';

/** One group, and what was computed of it. */
export interface ShownGroup {
  /** The value that its records share; `null` for NULL. */
  readonly value: unknown;
  /** Decimal digits, or `null` where there is nothing to compute with. */
  readonly computed: string | null;
}

/** A page of groups. */
export interface GroupsPage {
  readonly groups: readonly ShownGroup[];
  /** How many groups there are. */
  readonly total: bigint;
}

const COMPUTED = 'computed';

/** Reads a page of the groups of a view with one request. */
export function useGroups(model: ModelEntry, view: ViewState, group: GroupView) {
  const query = groupsQuery(model, view, group);
  const { page } = view;
  return useQuery({
    queryKey: ['groups', query, page],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<GroupsPage> => {
      const { records, total } = await groupsClient.groups(query).page(page, { signal });
      const name = groupName(termOf(group));
      const groups = records.map((record) => {
        const { [name]: value, [COMPUTED]: computed } = record as Record<string, unknown>;
        return { value, computed: digitsOf(computed) };
      });
      return { groups, total };
    },
  });
}

/** Counts are bigints, and other numbers digits already. */
function digitsOf(computed: unknown): string | null {
  if (typeof computed === 'bigint' || typeof computed === 'number') return String(computed);
  return typeof computed === 'string' ? computed : null;
}

function termOf({ by, unit }: GroupView) {
  return { attribute: by, ...(unit && { by: unit }) };
}

/** Parts of time are in their order, other groups by what is computed, the largest first. */
function groupsQuery(model: ModelEntry, view: ViewState, group: GroupView): GroupsQuery {
  const { by, unit, operation, attribute } = group;
  const filter = viewFilter(view, model);
  const aggregate = { op: operation, ...(attribute !== null && { attribute }) };
  const query = {
    model: model.name,
    by: [unit === null ? by : { attribute: by, by: unit }],
    aggregates: { [COMPUTED]: aggregate },
    size: view.size,
    ...(filter && { filter }),
    ...(unit === null && {
      sort: [{ attribute: COMPUTED, direction: 'desc', nulls: 'last' }],
    }),
  };
  return query as unknown as GroupsQuery;
}
