import type { RelatedRequest, RequestError } from '@proj/contract';

import type { RequestMembers } from './check-names.ts';
import { planAggregate } from './group-names.ts';
import type { Names } from './names.ts';
import { and, PlannedFilter } from './plan-filter.ts';
import { quote } from './unknown-name.ts';

export function nameRelated(
  { query_related: all = [] }: Pick<RequestMembers, 'query_related'>,
  names: Names,
): RequestError[] {
  return all.flatMap((one, index) => {
    const errors = nameOne(one, index, names);
    const [first] = errors;
    if (first !== undefined) names.refuse(one.name, first);
    return errors;
  });
}

function nameOne(
  { name, related, filter, ...asked }: RelatedRequest,
  index: number,
  names: Names,
): RequestError[] {
  const pointer = `/query_related/${index}`;
  const { model } = names;
  if (model.attributes.has(name)) {
    const detail = `${quote(model.name)} has an attribute named ${quote(name)}.`;
    return [{ pointer: `${pointer}/name`, code: 'duplicate_attribute', detail }];
  }
  const referring = names.referring(related, `${pointer}/related`);
  if ('error' in referring) return [referring.error];
  const { names: own, policy, ...found } = referring;
  const planned = planAggregate(asked, own, pointer);
  const filtering = filter && new PlannedFilter(filter, own, ['query_related', index, 'filter']);
  const errors = [
    ...(planned !== undefined && 'error' in planned ? [planned.error] : []),
    ...(filtering?.errors ?? []),
  ];
  // A count takes no attribute to be planned; without one that it needs, the shape has the error.
  if (planned === undefined || 'error' in planned || errors.length > 0) return errors;
  const { shown, attribute } = planned;
  const condition = and(policy, filtering?.condition);
  const { op } = asked;
  // Of no records all but counts are NULL.
  const nullable = op !== 'count' && op !== 'count_distinct';
  const reads = found.toOne.key.map(({ column }) => column);
  const value = { ...found, joins: own.joins, condition, op, attribute, isOfRow: false, reads };
  names.relate({ ...shown, name, nullable }, value);
  return [];
}
