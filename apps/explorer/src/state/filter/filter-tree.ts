import type { Condition, FilterGroup, FilterNode } from '../view-state.ts';

/** The places of a part within the groups around it, from the outermost; none for the whole. */
export type FilterPath = readonly number[];

/** Whether a part of a filter is a group. */
export function isGroup(node: FilterNode): node is FilterGroup {
  return 'parts' in node;
}

/** How many conditions a filter has, in all of its groups. */
export function conditionCount({ parts }: FilterGroup): number {
  return parts.reduce((sum, part) => sum + (isGroup(part) ? conditionCount(part) : 1), 0);
}

/** The group with another part in place of that at the path; without it where that is `null`. */
export function withPart(
  group: FilterGroup,
  [index = 0, ...deeper]: FilterPath,
  part: FilterNode | null,
): FilterGroup {
  const { parts } = group;
  const old = parts[index];
  if (deeper.length > 0 && old !== undefined && isGroup(old))
    return { ...group, parts: parts.with(index, withPart(old, deeper, part)) };
  return { ...group, parts: parts.toSpliced(index, 1, ...(part === null ? [] : [part])) };
}

/** A filter that holds where this one and all of the parts hold. */
export function withAlso(filter: FilterGroup, parts: readonly FilterNode[]): FilterGroup {
  if (filter.parts.length === 0) return { match: 'all', parts };
  return { match: 'all', parts: [...(filter.match === 'all' ? filter.parts : [filter]), ...parts] };
}

/** The filter without groups that have no condition. */
export function withoutEmptyGroups(group: FilterGroup): FilterGroup {
  const parts = group.parts
    .map((part) => (isGroup(part) ? withoutEmptyGroups(part) : part))
    .filter((part) => !isGroup(part) || part.parts.length > 0);
  return { ...group, parts };
}

/** The filter without conditions on other attributes than these. */
export function withConditionsOn(group: FilterGroup, names: readonly string[]): FilterGroup {
  const parts = group.parts
    .filter((part) => isGroup(part) || names.includes(part.attribute))
    .map((part) => (isGroup(part) ? withConditionsOn(part, names) : part));
  return withoutEmptyGroups({ ...group, parts });
}

/** A filter of conditions that a record must meet all. */
export function allOf(...parts: readonly Condition[]): FilterGroup {
  return { match: 'all', parts };
}
