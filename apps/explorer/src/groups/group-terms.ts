import { groupAttributes, type LinkedModel } from '@proj/contract';

import {
  aggregateOf,
  computeName,
  groupSort,
  requestedGroups,
  termName,
} from '../state/view/groups-query.ts';
import { withConditionsOn } from '../state/filter/filter-tree.ts';
import type { ComputeTerm, GroupView, SortTerm } from '../state/view-state.ts';
import { isNumeric } from '../values/cell-text.ts';

/**
 * The groups with other terms, each once; conditions, an order or a picture of what is no longer
 * there go with it.
 */
export function withTerms(
  group: GroupView,
  change: Partial<Pick<GroupView, 'by' | 'compute'>>,
): GroupView {
  const { by, compute } = { ...group, ...change };
  const next = {
    ...group,
    by: [...new Map(by.map((term) => [termName(term), term])).values()],
    compute: [
      ...new Map(compute.map((term) => [JSON.stringify(aggregateOf(term)), term])).values(),
    ],
  };
  const names = [...next.by.map(termName), ...next.compute.map((term) => computeName(term, next))];
  const { filter, sort, picture } = next;
  return {
    ...next,
    filter: withConditionsOn(filter, names),
    sort: sort.filter(({ attribute }) => names.includes(attribute)),
    picture: picture !== null && names.includes(picture) ? picture : null,
  };
}

/** The order that a click on the head of a member makes: numbers begin with the largest. */
export function sortedByMember(group: GroupView, name: string): readonly SortTerm[] {
  const isGroup = group.by.some((term) => termName(term) === name);
  const [first] = groupSort(group);
  const known = first?.attribute === name ? first.direction : undefined;
  const next = { asc: 'desc', desc: 'asc' } as const;
  const direction = known === undefined ? (isGroup ? 'asc' : 'desc') : next[known];
  return [{ attribute: name, direction, nulls: 'last' }];
}

/** What of the groups can be drawn: the numbers that are computed. */
export function drawableTerms(group: GroupView, model: LinkedModel): readonly ComputeTerm[] {
  const members = groupAttributes(requestedGroups(group), model);
  const numbers = members.filter(({ type }) => isNumeric(type)).map(({ name }) => name);
  return group.compute.filter((term) => numbers.includes(computeName(term, group)));
}

/** What is drawn: what the view says, else the first that can be; undefined where none can. */
export function drawnTerm(group: GroupView, model: LinkedModel): ComputeTerm | undefined {
  const terms = drawableTerms(group, model);
  return terms.find((term) => computeName(term, group) === group.picture) ?? terms[0];
}

/** Whether the groups follow each other in time, so that a line says more than bars do. */
export function isInTime(group: GroupView): boolean {
  const [term, another] = group.by;
  if (term === undefined || another !== undefined || term.unit === null) return false;
  const [first] = group.sort;
  return first === undefined || first.attribute === termName(term);
}
