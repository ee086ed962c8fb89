import { expect, it } from 'vitest';

import { catalogueOf, columnOf, NOTES } from '../../test/unit/models.ts';
import { Grant } from '../catalogue/grant.ts';
import { leavesOf } from './condition.ts';
import type { GroupRows } from './list-rows.ts';
import { neededOfFacets } from './needed-columns.ts';
import { planFacets } from './plan-facets.ts';

const leaf = (attribute: string, value: unknown) => ({ attribute, op: 'eq', value }) as const;

const CATALOGUE = catalogueOf({
  ...NOTES,
  columns: [...NOTES.columns, columnOf('moment', 'timestamp_tz')],
});

const GRANT = new Grant(
  new Map([
    ['notes', { attributes: new Set(['word', 'rank', 'moment']), rowPolicy: leaf('size', 9) }],
  ]),
);

function planOf(query_facets: readonly object[], members: object = {}) {
  const body = { query_model: 'notes', query_facets, ...members };
  const planning = planFacets(body, CATALOGUE, GRANT);
  if (!planning.ok) throw new Error(JSON.stringify(planning.errors));
  return planning.plan;
}

/** What decides which records are counted, and what of them. */
function partsOf({ condition, groups, aggregates }: GroupRows): object {
  return {
    where: leavesOf(condition).map((one) => 'op' in one && [one.attribute.name, ...one.values]),
    by: groups.map(({ name, attribute, by }) => [name, attribute.name, by]),
    aggregates: aggregates.map(({ name, op, attribute }) => [name, op, attribute?.name]),
  };
}

const COUNT = ['count', 'count', undefined];
const POLICY = ['size', 9];

it('each facet counts what the policy shows and its own filter, or that of the request, keeps', () => {
  const own = { attribute: 'word', values: 3, sort: 'value', query_filter: leaf('rank', 1) };
  const facets = [
    { attribute: 'rank', bins: 4 },
    { attribute: 'moment', bins: 2, time_zone: 'Asia/Tokyo' },
    own,
    { attribute: 'rank', bins: 1 },
    { attribute: 'rank', values: 2 },
  ];
  const { counted, facets: planned } = planOf(facets, { query_filter: leaf('word', 'a') });
  const kept = [POLICY, ['word', 'a']];
  expect(partsOf(counted)).toEqual({ where: kept, by: [], aggregates: [COUNT] });
  const [fourth, second] = [
    { bins: 4, place: 0 },
    { bins: 2, place: 6, zone: 'asia/tokyo' },
  ];
  const last = { bins: 1, place: 10 };
  const sum = ['sum', 'added', 'rank'];
  expect(planned.map(({ rows }) => partsOf(rows))).toEqual([
    { where: kept, by: [['value', 'rank', fourth]], aggregates: [COUNT, sum] },
    { where: kept, by: [['value', 'moment', second]], aggregates: [COUNT] },
    { where: [POLICY, ['rank', 1n]], by: [['value', 'word', undefined]], aggregates: [COUNT] },
    { where: kept, by: [['value', 'rank', last]], aggregates: [COUNT, sum] },
    { where: kept, by: [['value', 'rank', undefined]], aggregates: [COUNT] },
  ]);
  expect(
    planned.map(({ attribute, by, limit, sort }) => [attribute.name, by, limit, sort]),
  ).toEqual([
    ['rank', fourth, 0, 'count'],
    ['moment', second, 0, 'count'],
    ['word', undefined, 3, 'value'],
    ['rank', last, 0, 'count'],
    ['rank', undefined, 2, 'count'],
  ]);
});

it('facets without filters count what the policy shows, and read no other column', () => {
  const plan = planOf([{ attribute: 'word', values: 3 }]);
  expect(partsOf(plan.counted)).toMatchObject({ where: [POLICY] });
  expect(plan.facets.map(({ rows }) => partsOf(rows))).toMatchObject([{ where: [POLICY] }]);
  expect(plan).toMatchObject({ name: 'notes', relations: [['notes']] });
  expect(new Set(neededOfFacets(plan).map(({ column }) => column))).toEqual(
    new Set(['size', 'word']),
  );
});
