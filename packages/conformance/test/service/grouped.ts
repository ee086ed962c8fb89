import {
  groupName,
  type ModelEntry,
  operatorsOf,
  type QueryRequest,
  SORTABLE_TYPES,
} from '@proj/contract';

import type { CityRecord, Model } from '../../../cli/test/service/cities.ts';
import { compare } from '../../../cli/test/service/compare.ts';
import { type FilterSlips, matches } from '../../../cli/test/service/matches.ts';

type Attribute = ModelEntry['attributes'][number];

/** An attribute by which records are grouped, under the name of the group. */
type Grouped = Attribute & { readonly of: string };

/** What a request says of its groups. */
type GroupMembers = Pick<QueryRequest, 'query_groups' | 'query_aggregates' | 'query_filter'>;

/**
 * The groups of a list as the records of a model, in the order of their values. Dates are not cut,
 * and the only aggregate is `count`.
 */
export function grouped(
  { entry, records }: Model,
  { query_groups = [], query_aggregates = [], query_filter: filter }: GroupMembers,
  slips: FilterSlips,
): Model {
  const by = query_groups.flatMap((group): Grouped[] => {
    const found = entry.attributes.find(({ name }) => name === group.attribute);
    return found ? [{ ...found, name: groupName(group), of: found.name }] : [];
  });
  const kept = records.filter(
    (record) => filter === undefined || matches(filter, record, { entry, slips }) === true,
  );
  const groups = Map.groupBy(kept, (record) => JSON.stringify(by.map(({ of }) => record[of])));
  const rows = [...groups.values()].map((members): CityRecord => {
    const values = by.map(({ name, of }) => [name, members[0]?.[of] ?? null]);
    const aggregates = query_aggregates.map(({ name, attribute }) => [
      name,
      String(members.filter((one) => attribute === undefined || one[attribute] !== null).length),
    ]);
    return Object.fromEntries([...values, ...aggregates]);
  });
  const sorted = rows.toSorted((one, other) => orderOf([one, other], by));
  const counts = query_aggregates.map(({ name }) => countNamed(name));
  return {
    entry: { ...entry, attributes: [...by, ...counts] },
    // The order of a list without another one is that of the member `id`.
    records: sorted.map((row, index) => ({ id: String(index), ...row })),
  };
}

function orderOf([one, other]: [CityRecord, CityRecord], by: readonly Attribute[]): number {
  for (const { name, type } of by) {
    const [left, right] = [one[name], other[name]];
    const order =
      left === null || right === null
        ? Number(left === null) - Number(right === null)
        : compare(left, right, type);
    if (order !== 0) return order;
  }
  return 0;
}

function countNamed(name: string): Attribute {
  return {
    name,
    type: 'int64',
    nullable: false,
    description: null,
    operators: operatorsOf('int64'),
    sortable: SORTABLE_TYPES.has('int64'),
  };
}
