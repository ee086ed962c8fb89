import { describe, expect, it } from 'vitest';

import { withClaims } from './row-claims.ts';

const rows = (op: string) => ({ and: [{ attribute: 'tenant', op, value: '$claims.tenant.id' }] });

describe('a row filter that names a claim', () => {
  it('takes its value', () => {
    const filled = { and: [{ attribute: 'tenant', op: 'eq', value: 'north' }] };
    expect(withClaims(rows('eq'), { tenant: { id: 'north' } })).toEqual({
      rows: filled,
      missing: [],
    });
  });

  it.each([
    ['the whole of it', { 'https://shop.example/tenant': 'north' }],
    ['its path', { 'https://shop': { 'example/tenant': 'north' } }],
    [
      'the whole before its path',
      {
        'https://shop': { 'example/tenant': 'south' },
        'https://shop.example/tenant': 'north',
      },
    ],
  ])('finds a name with dots by %s', (_what, claims) => {
    const filter = { attribute: 'tenant', op: 'eq' };
    const named = { ...filter, value: '$claims.https://shop.example/tenant' };
    expect(withClaims(named, claims)).toEqual({
      rows: { ...filter, value: 'north' },
      missing: [],
    });
  });

  it.each(['x$claims.tenant', '$claims.tenant x', '$claims', '$claims.'])(
    'takes the text %j as it is, which is not all the name of a claim',
    (value) => {
      const filter = { attribute: 'tenant', op: 'eq', value };
      expect(withClaims(filter, { tenant: 'north' })).toEqual({ rows: filter, missing: [] });
    },
  );

  it.each([
    ['is null, which `is_distinct` would take for every row', { tenant: { id: null } }],
    ['is absent', { tenant: {} }],
    ['has no parent', {}],
    ['has a parent that is null', { tenant: null }],
    ['is inherited by every object', { tenant: Object.create({ id: 'north' }) }],
  ])('lacks it where it %s', (_what, claims) => {
    expect(withClaims(rows('is_distinct'), claims).missing).toEqual(['$claims.tenant.id']);
  });
});
