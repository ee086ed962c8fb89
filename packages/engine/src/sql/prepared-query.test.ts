import { describe, expect, it } from 'vitest';

import { buildCatalogue } from '../catalogue/build.ts';
import { EVERYTHING } from '../catalogue/grant.ts';
import type { Relation } from '../catalogue/relation.ts';
import { keysOf } from './prepared-query.ts';
import { planQuery } from '../planning/plan.ts';

const column = { databaseType: '', nullable: true, description: null } as const;
const NOTES: Relation = {
  path: ['notes'],
  name: 'notes',
  kind: 'table',
  columns: [
    { ...column, name: 'id', type: 'int64', nullable: false },
    { ...column, name: 'word', type: 'text' },
    { ...column, name: 'size', type: 'float64' },
  ],
  keys: [[{ column: 'id' }]],
  description: null,
};

const { catalogue } = buildCatalogue([NOTES], { expose: 'all', models: {}, maxPageSize: 10 });

function totalKey(attribute: string, op: string, value: unknown): string {
  const query_filter = { attribute, op, value };
  const body = {
    query_model: 'notes',
    query_attributes: ['id'],
    query_filter,
    page: { page: 1, size: 1 },
  };
  const planning = planQuery(body, catalogue, EVERYTHING);
  if (!planning.ok) throw new Error(JSON.stringify(planning.faults));
  return keysOf(planning.plan).totalKey;
}

describe('two lists have different totals', () => {
  it.each([
    ['word', 'is_distinct', null, 'null'],
    ['word', 'in', ['a,b'], ['a', 'b']],
    ['word', 'eq', 'a', 'b'],
    ['id', 'eq', 1, '-1'],
    ['size', 'eq', 'NaN', 'Infinity'],
    ['size', 'is_distinct', null, 0],
  ])('where %s %s %j or %j', (attribute, op, one, other) => {
    expect(totalKey(attribute, op, one)).not.toBe(totalKey(attribute, op, other));
  });

  it('and one total where they differ in how a number is written', () => {
    expect(totalKey('id', 'eq', 7)).toBe(totalKey('id', 'eq', '7'));
  });
});
