import type { AttributeEntry, GroupsQuery, ModelEntry } from '@proj/client';
import {
  aggregateName,
  attributeAt,
  groupAttributes,
  groupName,
  type LinkedModel,
  nameAggregates,
  type RequestedGroups,
} from '@proj/contract';

import type { ComputeTerm, GroupTerm, GroupView, SortTerm, ViewState } from '../view-state.ts';
import { inZone, requestedRelated, treeFilter, viewFilter, type ViewQuery } from './view-query.ts';

/** The query of the groups of a view. */
export interface ViewGroupsQuery extends ViewQuery {
  readonly groups: RequestedGroups;
}

/** The groups that a view asks for; their attributes are all of their members. */
export function groupsQuery(
  view: ViewState,
  model: LinkedModel,
  group: GroupView,
): ViewGroupsQuery {
  const filter = viewFilter(view, model);
  const sort = groupSort(group);
  const { by, aggregates } = requestedGroups(group);
  const groups = { by: by.map((term) => zoned(term, model, view.zone)), aggregates };
  const kept = treeFilter(group.filter, modelOfGroups(groups, model));
  return {
    model: model.name,
    attributes: [...group.by.map(termName), ...Object.keys(groups.aggregates)],
    page: view.page,
    size: view.size,
    ...(filter && { filter }),
    ...(sort.length > 0 && { sort }),
    ...requestedRelated(view, model),
    groups: { ...groups, ...(kept && { filter: kept }) },
  };
}

/** What the groups are made of, as a request says it. */
export function requestedGroups(group: Pick<GroupView, 'by' | 'compute'>): RequestedGroups {
  const by = group.by.map(requestOf);
  const aggregates = nameAggregates(group.compute.map(aggregateOf), by);
  return { by, aggregates: Object.fromEntries(aggregates) };
}

/** A model that has the members of groups, for the parts that write conditions on a model. */
export function modelOfGroups(groups: RequestedGroups, model: LinkedModel): ModelEntry {
  const { name, max_page_size } = model;
  const attributes = groupAttributes(groups, model);
  return { name, description: null, attributes, key: [], default_sort: [], max_page_size };
}

/** Whether a query is one of groups. */
export function isOfGroups(query: ViewQuery): query is ViewGroupsQuery {
  return query.groups !== undefined;
}

/** The attributes that a query shows, of records or of groups, as far as the catalogue has them. */
export function shownEntries(query: ViewQuery, model: LinkedModel): readonly AttributeEntry[] {
  if (isOfGroups(query)) return groupAttributes(query.groups, model);
  return query.attributes.flatMap((name) => attributeAt(name, model) ?? []);
}

/** The same as the SDK takes it. */
export function clientGroups(query: ViewGroupsQuery): GroupsQuery {
  const { model, size, filter, sort, related, groups } = query;
  const { by, aggregates, filter: groupFilter } = groups;
  const asked = {
    model,
    by,
    aggregates,
    size,
    ...(filter && { filter }),
    ...(groupFilter && { groupFilter }),
    ...(sort && { sort }),
    ...(related && { related }),
  };
  // The SDK's types pair each aggregate with attributes that have it, which here only data says.
  return asked as GroupsQuery;
}

/** The name of a group attribute among the members of a group. */
export function termName({ attribute, unit }: GroupTerm): string {
  return groupName({ attribute, by: unit ?? undefined });
}

/** The name of what is computed, among the members of its groups. */
export function computeName(term: ComputeTerm, group: Pick<GroupView, 'by' | 'compute'>): string {
  const { op, attribute } = aggregateOf(term);
  const named = Object.entries(requestedGroups(group).aggregates);
  const [name] = named.find(([, one]) => one.op === op && one.attribute === attribute) ?? [];
  return name ?? aggregateName({ op, attribute });
}

/**
 * The order of groups: that of the view, else parts of time in their own, and other groups by the
 * first that is computed, the largest first.
 */
export function groupSort(group: GroupView): readonly SortTerm[] {
  const { by, compute, sort } = group;
  const [first] = compute;
  if (sort.length > 0 || first === undefined || by[0]?.unit !== null) return sort;
  return [{ attribute: computeName(first, group), direction: 'desc', nulls: 'last' }];
}

type RequestedTerm = RequestedGroups['by'][number];
type RequestedAggregate = RequestedGroups['aggregates'][string];

function requestOf({ attribute, unit }: GroupTerm): RequestedTerm {
  return unit === null ? attribute : { attribute, by: unit };
}

function zoned(term: RequestedTerm, model: LinkedModel, zone: string | null): RequestedTerm {
  if (typeof term === 'string') return term;
  return { ...term, ...inZone(attributeAt(term.attribute, model), zone) };
}

export function aggregateOf({ operation: op, attribute }: ComputeTerm): RequestedAggregate {
  return attribute === null ? { op } : { op, attribute };
}
