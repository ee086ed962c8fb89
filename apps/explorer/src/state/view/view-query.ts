import type { AttributeEntry, Filter, ModelEntry } from '@proj/client';
import {
  attributeAt,
  comparedType,
  inversesOf,
  type LinkedModel,
  OPERATORS,
  type RequestedGroups,
  type RequestedRelated,
} from '@proj/contract';

import { isGroup, withAlso } from '../filter/filter-tree.ts';
import { operandValue } from '../filter/operand-value.ts';
import { pathEnd } from '../related-models.ts';
import type { Condition, FilterGroup, SortTerm, ViewState } from '../view-state.ts';

/** What a view asks the service for. */
export interface ViewQuery {
  readonly model: string;
  readonly attributes: readonly string[];
  readonly page: number;
  readonly size: number;
  readonly filter?: Filter;
  readonly sort?: readonly SortTerm[];
  readonly related?: RequestedRelated;
  /** Set where the list is one of groups: the attributes and the order are those of groups. */
  readonly groups?: RequestedGroups;
}

/** The query of a view of this model. */
export function viewQuery(view: ViewState, model: LinkedModel): ViewQuery {
  const filter = viewFilter(view, model);
  return {
    model: model.name,
    attributes: shownAttributes(view, model),
    page: view.page,
    size: view.size,
    ...(filter && { filter }),
    ...(view.sort.length > 0 && { sort: view.sort }),
    ...requestedRelated(view, model),
  };
}

/** What a view counts and sums up of related records, as a request says it. */
export function requestedRelated(
  { related, zone }: Pick<ViewState, 'related' | 'zone'>,
  model: LinkedModel,
): { readonly related?: RequestedRelated } {
  if (related.length === 0) return {};
  const inverses = inversesOf(model);
  const terms = related.map(({ name, related: inverse, operation: op, ...term }) => {
    const filter = treeFilter(term.filter, inverses.get(inverse) ?? model, zone);
    const { attribute } = term;
    const others = { ...(attribute !== null && { attribute }), ...(filter && { filter }) };
    return [name, { related: inverse, op, ...others }];
  });
  return { related: Object.fromEntries(terms) as RequestedRelated };
}

/** The attributes that a view shows, in their order. */
export function shownAttributes({ attributes }: ViewState, model: ModelEntry): readonly string[] {
  return attributes ?? model.attributes.map(({ name }) => name);
}

/**
 * A query that also has the attributes of the model's key, so that each record can be named, and of
 * the keys of those that columns along references are of.
 */
export function withKeys(query: ViewQuery, model: ModelEntry): ViewQuery {
  const { attributes } = query;
  const related = attributes.flatMap((name) => {
    const end = pathEnd(name, model);
    return end?.model.key.map((part) => end.way + part) ?? [];
  });
  return { ...query, attributes: [...new Set([...attributes, ...model.key, ...related])] };
}

/** A query that also has the labels of the records to which its columns refer. */
export function withLabels(
  query: ViewQuery,
  labels: ReadonlyMap<string, { readonly name: string }>,
): ViewQuery {
  const names = [...labels.values()].map(({ name }) => name);
  return { ...query, attributes: [...new Set([...query.attributes, ...names])] };
}

type FilteredView = Pick<ViewState, 'filter' | 'search'> & Partial<Pick<ViewState, 'zone'>>;

/** The filter of a view with its search; undefined when it has neither. */
export function viewFilter(
  { filter, search, zone = null }: FilteredView,
  model: ModelEntry,
): Filter | undefined {
  const searched = search === '' ? [] : [searchGroup(search, model)];
  return treeFilter(searched.length === 0 ? filter : withAlso(filter, searched), model, zone);
}

/** The member by which instants have the days of a zone; none for UTC and other types. */
export function inZone(
  entry: Pick<AttributeEntry, 'type'> | undefined,
  zone: string | null,
): { readonly time_zone?: string } {
  return zone !== null && entry?.type === 'timestamp_tz' ? { time_zone: zone } : {};
}

/** The attributes that a search looks into. */
export function searchedAttributes({ attributes }: ModelEntry): readonly string[] {
  return attributes
    .filter(({ type, operators }) => type === 'text' && operators.includes('icontains'))
    .map(({ name }) => name);
}

/** Any of the text attributes contains the text; without such attributes nothing is searched. */
function searchGroup(search: string, model: ModelEntry): FilterGroup {
  const parts = searchedAttributes(model).map((attribute): Condition => {
    return { attribute, operator: 'icontains', operands: [search] };
  });
  return { match: 'any', parts };
}

/** A filter as it travels. One part is the filter itself; undefined when there is none. */
export function treeFilter(
  { match, parts }: FilterGroup,
  model: ModelEntry,
  zone: string | null = null,
): Filter | undefined {
  const filters = parts.flatMap((part) =>
    isGroup(part)
      ? (treeFilter(part, model, zone) ?? [])
      : conditionFilter(part, attributeAt(part.attribute, model), zone),
  );
  const joined = joinFilters(filters, match === 'any' || match === 'none' ? 'or' : 'and');
  return joined && (match === 'not_all' || match === 'none') ? { not: joined } : joined;
}

function joinFilters(filters: readonly Filter[], by: 'and' | 'or'): Filter | undefined {
  if (filters.length < 2) return filters[0];
  return by === 'and' ? { and: filters } : { or: filters };
}

/** The comparison of a condition. */
function conditionFilter(
  { attribute, operator, operands }: Condition,
  entry: AttributeEntry | undefined,
  zone: string | null,
): Filter {
  if (operator === 'not_null') return { attribute, op: 'is_null', value: false };
  const { operand } = OPERATORS[operator];
  if (operand === 'truth') return { attribute, op: operator, value: true };
  const compared = comparedType(entry ?? { type: 'other' });
  const type = operand === 'day' ? 'date' : compared;
  const values = operands.map((text) => operandValue(type, text));
  return {
    attribute,
    op: operator,
    value: operand === 'list' || operand === 'pair' ? values : (values[0] ?? ''),
    ...(operand === 'day' && inZone(entry, zone)),
  };
}
