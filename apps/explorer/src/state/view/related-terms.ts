import type { ModelEntry } from '@proj/client';
import { aggregateName, memberNames, RELATION_LIMITS } from '@proj/contract';

import { isGroup } from '../filter/filter-tree.ts';
import {
  type ComputeTerm,
  type FilterGroup,
  FIRST_VIEW,
  type RelatedTerm,
  type ViewState,
} from '../view-state.ts';
import { shownAttributes } from './view-query.ts';

/** Whether a view has room for another one. */
export function hasRoomForRelated({ related }: ViewState): boolean {
  return related.length < RELATION_LIMITS.aggregates;
}

/** The terms of a view that are computed so, whatever their filters. */
export function relatedTerms(
  { related }: ViewState,
  inverse: string,
  { operation, attribute }: ComputeTerm,
): readonly RelatedTerm[] {
  return related.filter(
    (term) =>
      term.related === inverse && term.operation === operation && term.attribute === attribute,
  );
}

/** The view with another column, named by what is computed. */
export function withRelatedTerm(
  view: ViewState,
  model: ModelEntry,
  { related: inverse, ...term }: Omit<RelatedTerm, 'name' | 'filter'>,
): Partial<ViewState> {
  const { operation: op, attribute } = term;
  const computed = aggregateName({ op, attribute: attribute ?? undefined });
  const taken = [...model.attributes, ...view.related].map(({ name }) => name);
  const name = memberNames(taken)(`${inverse}_${computed}`);
  return {
    related: [...view.related, { name, related: inverse, ...term, filter: FIRST_VIEW.filter }],
    attributes: [...shownAttributes(view, model), name],
  };
}

/** The view with another filter of what is counted. */
export function withRelatedFilter(
  { related }: ViewState,
  { name }: RelatedTerm,
  filter: FilterGroup,
): Partial<ViewState> {
  return { related: related.map((term) => (term.name === name ? { ...term, filter } : term)) };
}

/** The view without a column, and without what is sorted, filtered or grouped by it. */
export function withoutRelatedTerm(view: ViewState, { name }: RelatedTerm): Partial<ViewState> {
  const { related, attributes, sort, filter, group } = view;
  const isGrouped = group !== null && [...group.by, ...group.compute].some(isOf(name));
  return {
    related: related.filter((term) => term.name !== name),
    attributes: attributes && attributes.filter((other) => other !== name),
    sort: sort.filter((term) => !isOf(name)(term)),
    filter: withoutConditionsOn(filter, name),
    group: isGrouped ? null : group,
  };
}

function isOf(name: string) {
  return ({ attribute }: { readonly attribute: string | null }): boolean => attribute === name;
}

function withoutConditionsOn(group: FilterGroup, name: string): FilterGroup {
  const parts = group.parts
    .map((part) => (isGroup(part) ? withoutConditionsOn(part, name) : part))
    .filter((part) => (isGroup(part) ? part.parts.length > 0 : part.attribute !== name));
  return { ...group, parts };
}
