import type { RequestError } from '@proj/contract';

import type { ListNames } from './resolved-name.ts';

/** Names that unread lists may give get the errors of these. */
export function withGivenNames(names: ListNames, unread: readonly UnreadList[]): ListNames {
  if (unread.length === 0) return names;
  return {
    model: names.model,
    defaultOrder: names.defaultOrder,
    key: names.key,
    ...(names.referring && { referring: names.referring.bind(names) }),
    resolve: (name, pointer) => {
      const resolved = names.resolve(name, pointer);
      const isUnknown = resolved.error?.pointer === pointer;
      const list = isUnknown ? unread.find((one) => mayGive(one, name)) : undefined;
      return list === undefined ? resolved : { error: list.error };
    },
  };
}

interface UnreadList {
  readonly items: readonly unknown[] | undefined;
  readonly by: string;
  readonly error: RequestError;
}

export function unreadRelated(body: unknown, malformed: readonly RequestError[]): UnreadList[] {
  const { query_related: related }: RawLists = { ...(body as object) };
  return unreadList(related, 'name', errorIn('query_related', malformed));
}

export function unreadGroups(body: unknown, malformed: readonly RequestError[]): UnreadList[] {
  const { query_groups: groups, query_aggregates: aggregates }: RawLists = { ...(body as object) };
  const ofAggregates = errorIn('query_aggregates', malformed);
  const withoutGroups = ofAggregates ?? errorIn('query_group_filter', malformed);
  const ofGroups =
    errorIn('query_groups', malformed) ?? (groups === undefined ? withoutGroups : undefined);
  // Without groups there are no aggregates either.
  const ofNeither = aggregates === undefined ? undefined : (ofAggregates ?? ofGroups);
  return [
    ...unreadList(groups, 'attribute', ofGroups),
    ...unreadList(aggregates, 'name', ofNeither),
  ];
}

function errorIn(member: string, malformed: readonly RequestError[]): RequestError | undefined {
  return malformed.find(({ pointer }) => `${pointer}/`.startsWith(`/${member}/`));
}

function unreadList(list: unknown, by: string, error: RequestError | undefined): UnreadList[] {
  const items = Array.isArray(list) && list.length > 0 ? list : undefined;
  return error === undefined ? [] : [{ items, by, error }];
}

type RawLists = Partial<Record<'query_related' | 'query_groups' | 'query_aggregates', unknown>>;

/** An item without a name may have any. */
function mayGive({ items, by }: UnreadList, name: string): boolean {
  if (items === undefined) return true;
  return items.some((item) => {
    const members = typeof item === 'object' ? Object.entries(item ?? {}) : [[by, item] as const];
    const given: unknown = members.find(([member]) => member === by)?.[1];
    return typeof given !== 'string' || name === given || name.startsWith(`${given}.`);
  });
}
