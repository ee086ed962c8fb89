import { describe, expect, it } from 'vitest';

import { anyPlanOf, catalogueOf, NOTES } from '../../test/unit/models.ts';
import { EVERYTHING } from '../catalogue/grant.ts';
import type { Missing } from '../catalogue/model.ts';

const REASON = 'It is gone.';

function partMissing(members: object, columns: Missing['columns']): Missing | undefined {
  const missing = { columns, reason: REASON };
  const models = [...catalogueOf(NOTES)].map(
    ([name, model]) => [name, { ...model, missing }] as const,
  );
  return anyPlanOf(members, EVERYTHING, new Map(models)).missing;
}

const RANK = { attribute: 'rank', op: 'eq', value: 1 };
const WORD = { attribute: 'word', op: 'eq', value: 'a' };

describe('a plan of a model that lacks a column', () => {
  it.each<[string, object]>([
    ['selects it', { query_attributes: ['word', 'rank'] }],
    ['is ordered by it', { query_sort: [{ attribute: 'rank' }] }],
    ['compares it', { query_filter: RANK }],
    ['compares it in a negation', { query_filter: { not: RANK } }],
    ['compares it in a conjunction', { query_filter: { and: [WORD, RANK] } }],
    ['compares it in a disjunction', { query_filter: { or: [WORD, { and: [WORD, RANK] }] } }],
  ])('cannot be read where it %s', (_how, members) => {
    const columns = new Set(['rank']);
    expect(partMissing(members, columns)).toEqual({ columns, reason: REASON });
  });

  it.each<object>([{}, { query_filter: { and: [WORD, { not: WORD }] } }])(
    'can be read where it does not need the column: %j',
    (members) => {
      expect(partMissing(members, new Set(['rank']))).toBeUndefined();
    },
  );
});

const GROUPS = {
  query_attributes: ['word'],
  query_groups: ['word'],
  query_aggregates: [{ name: 'highest', op: 'max', attribute: 'rank' }],
};

it('groups need the columns that they name, and neither order nor key of the records', () => {
  expect(partMissing(GROUPS, new Set(['rank']))?.reason).toBe(REASON);
  expect(partMissing(GROUPS, new Set(['id']))).toBeUndefined();
  expect(partMissing({}, new Set(['id']))?.reason).toBe(REASON);
});

it('no plan of a model that is missing as a whole can be read', () => {
  expect(partMissing({}, 'all')).toEqual({ columns: 'all', reason: REASON });
});

it('every plan of a model of which nothing is missing can be read', () => {
  expect(anyPlanOf({}).missing).toBeUndefined();
});
