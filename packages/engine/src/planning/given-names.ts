import type { RequestError } from '@proj/contract';

import type { ListNames } from './resolved-name.ts';

/**
 * @param body the request
 * @param malformed its errors without the model: names that it gives get these
 */
export function withGivenNames(
  names: ListNames,
  body: unknown,
  malformed: readonly RequestError[],
): ListNames {
  const unread = unreadLists(body, malformed);
  if (unread.length === 0) return names;
  return {
    model: names.model,
    defaultOrder: names.defaultOrder,
    key: names.key,
    find: (name) => names.find(name),
    referring: (name, pointer) => names.referring(name, pointer),
    resolve: (name, pointer) => {
      const resolved = names.resolve(name, pointer);
      const isUnknown = resolved.error?.pointer === pointer;
      const list = isUnknown ? unread.find((one) => mayGive(one, name)) : undefined;
      return list === undefined ? resolved : { error: list.error };
    },
  };
}

interface UnreadList {
  /** Undefined if unknown. */
  readonly items: readonly unknown[] | undefined;
  readonly by: string;
  readonly error: RequestError;
}

function unreadLists(body: unknown, malformed: readonly RequestError[]): UnreadList[] {
  if (typeof body !== 'object' || body === null) return [];
  const { query_groups: groups, query_aggregates: aggregates }: RawLists = body;
  const errorIn = (member: string) =>
    malformed.find(({ pointer }) => `${pointer}/`.startsWith(`/${member}/`));
  const ofAggregates = errorIn('query_aggregates');
  const withoutGroups = ofAggregates ?? errorIn('query_group_filter');
  const ofGroups = errorIn('query_groups') ?? (groups === undefined ? withoutGroups : undefined);
  // Without groups there are no aggregates either.
  const ofNeither = ofAggregates ?? ofGroups;
  return [
    ...(ofGroups === undefined
      ? []
      : [{ items: someOf(groups), by: 'attribute', error: ofGroups }]),
    ...(ofNeither === undefined || aggregates === undefined
      ? []
      : [{ items: someOf(aggregates), by: 'name', error: ofNeither }]),
  ];
}

function someOf(list: unknown): readonly unknown[] | undefined {
  return Array.isArray(list) && list.length > 0 ? list : undefined;
}

interface RawLists {
  readonly query_groups?: unknown;
  readonly query_aggregates?: unknown;
}

/** An item without a name may have any. */
function mayGive({ items, by }: UnreadList, name: string): boolean {
  if (items === undefined) return true;
  return items.some((item) => {
    const members = typeof item === 'object' ? Object.entries(item ?? {}) : [[by, item] as const];
    const given: unknown = members.find(([member]) => member === by)?.[1];
    return typeof given !== 'string' || name === given || name.startsWith(`${given}.`);
  });
}
