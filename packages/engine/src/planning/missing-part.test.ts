import { describe, expect, it } from 'vitest';

import { planOf } from '../../test/unit/models.ts';
import type { Missing } from '../catalogue/model.ts';
import { tableRows } from './list-rows.ts';
import { missingPart } from './missing-part.ts';

const REASON = 'It is gone.';

function partMissing(members: object, columns: Missing['columns']): Missing | undefined {
  const plan = planOf(members);
  return missingPart({
    ...plan,
    ...tableRows({ ...plan.rows.model, missing: { columns, reason: REASON } }),
  });
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

it('no plan of a model that is missing as a whole can be read', () => {
  expect(partMissing({}, 'all')).toEqual({ columns: 'all', reason: REASON });
});

it('every plan of a model of which nothing is missing can be read', () => {
  expect(missingPart(planOf())).toBeUndefined();
});
