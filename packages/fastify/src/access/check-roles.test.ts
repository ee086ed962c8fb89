import { describe, expect, it } from 'vitest';

import { ORDERS_CATALOGUE } from '../../test/orders-catalogue.ts';
import { roleSettings } from '../settings/roles.ts';
import { type KnownModels, roleErrors } from './check-roles.ts';

/** What is wrong with roles, by name. */
function check(roles: object, known: KnownModels = { catalogue: ORDERS_CATALOGUE }) {
  const parsed = Object.entries(roles).map(([name, role]) => [name, roleSettings.parse(role)]);
  return roleErrors(Object.fromEntries(parsed), known);
}

/** What is wrong with a role's grant of orders. */
const checkGrant = (grant: object) => check({ clerk: { models: { orders: grant } } });

const rowsError = (problem: string) => [
  {
    path: ['roles', 'clerk', 'models', 'orders', 'rows'],
    problem: expect.stringContaining(problem),
    remedy: 'See docs/reference/operators.md.',
  },
];

const unknownAttribute = (name: string) => ({
  path: ['roles', 'clerk', 'models', 'orders', 'attributes'],
  problem: `The model has no attribute named "${name}".`,
  remedy: 'It has: id, region.',
});

/** A row filter that is one comparison. */
const leaf = (attribute: string, op: string, value: unknown) => ({
  rows: { attribute, op, value },
});

describe('a role', () => {
  it('of all models fits any catalogue', () => {
    expect(check({ reader: { models: 'all' } })).toEqual([]);
  });

  it('that names a missing model is rejected with the names of those that exist', () => {
    expect(check({ clerk: { models: { orders: {}, absent: {} } } })).toEqual([
      {
        path: ['roles', 'clerk', 'models', 'absent'],
        problem: 'There is no such model.',
        remedy: 'There are: orders, invoices.',
      },
    ]);
  });

  it('that names missing attributes is rejected with an error for each', () => {
    expect(checkGrant({ attributes: ['x', 'id', 'y'] })).toEqual([
      unknownAttribute('x'),
      unknownAttribute('y'),
    ]);
    expect(checkGrant({ attributes: ['region', 'id'] })).toEqual([]);
  });

  it('may name any model that a database which is away may have, with any of its attributes', () => {
    const late = { attributes: ['x'], ...leaf('x', 'eq', 1) };
    const known = { catalogue: new Map(), mayHave: (model: string) => model === 'late' };
    expect(check({ clerk: { models: { late } } }, known)).toEqual([]);
    expect(check({ clerk: { models: { absent: {} } } }, known)).toMatchObject([
      { problem: 'There is no such model.', remedy: 'There are: none.' },
    ]);
  });
});

describe('the row filter of a role', () => {
  it.each([
    leaf('id', 'eq', 7),
    leaf('id', 'eq', '$claims.id'),
    leaf('id', 'in', ['$claims.a', '$claims.b']),
    leaf('id', 'is_distinct', null),
    leaf('id', 'in', '$claims.ids'),
    leaf('id', 'between', '$claims.range'),
    { rows: { not: { or: [leaf('id', 'in', '$claims.ids').rows] } } },
    { rows: { and: [leaf('region', 'eq', 'north').rows, leaf('id', 'lt', '$claims.id').rows] } },
  ])('fits: %j', (grant) => {
    expect(checkGrant(grant)).toEqual([]);
  });

  it.each([
    [leaf('absent', 'eq', '$claims.id'), '/attribute: '],
    [leaf('$claims.id', 'eq', 7), '/attribute: '],
    [leaf('id', 'eq', 'north'), '/value: '],
    [leaf('id', 'in', ['$claims.a', 'north']), '/value/1: '],
    [leaf('id', 'contains', '$claims.id'), '/op: '],
    [leaf('id', 'eq', ['$claims.a']), '/value'],
    [{ rows: { and: [leaf('id', 'eq', 'north').rows] } }, '/and/0/value: '],
    [{ rows: { attribute: 'id' } }, '/op: '],
  ])('does not fit: %j', (grant, problem) => {
    const errors = checkGrant(grant);
    expect(errors).toEqual(rowsError(problem));
    const pointer = problem.replace(/: $/, '');
    expect(errors[0]?.problem.split(pointer), 'names the place once').toHaveLength(2);
  });
});
