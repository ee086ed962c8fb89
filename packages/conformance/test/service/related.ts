import { type Filter, isFilter, readFilter } from '@proj/contract';

import { matches } from '../../../cli/test/service/matches.ts';
import type { Model } from '../../../cli/test/service/cities.ts';

/** A filter without conditions on `parts`: comparisons of the key are in their place. */
export function withoutRelated(value: unknown, model: Model): unknown {
  const { filter } = readFilter(value, []);
  return filter === undefined ? value : compared(filter, model);
}

function compared(filter: Filter, model: Model): Filter {
  if ('and' in filter) return { and: filter.and.map((part) => compared(part, model)) };
  if ('or' in filter) return { or: filter.or.map((part) => compared(part, model)) };
  if ('not' in filter) return { not: compared(filter.not, model) };
  if (!('related' in filter) || filter.related !== 'parts') return filter;
  const { entry, records } = model;
  const wanted = 'some' in filter ? filter.some : filter.none;
  const inner = isFilter(wanted) ? compared(wanted, model) : undefined;
  const met = records.filter(
    (record) => inner === undefined || matches(inner, record, { entry, slips: {} }) === true,
  );
  const parents = met.map((record) => record['parent_id']).filter((id) => id !== null);
  return { attribute: 'id', op: 'some' in filter ? 'in' : 'not_in', value: ['0', ...parents] };
}
