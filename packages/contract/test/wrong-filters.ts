const leaf = { attribute: 'population', op: 'gte', value: 1 };

function nested(depth: number): unknown {
  return depth === 1 ? leaf : { and: [nested(depth - 1)] };
}

/** Conditions on related records, one inside the other, around a filter. */
function related(depth: number, filter: unknown): unknown {
  return depth === 0 ? filter : { related: 'orders', some: related(depth - 1, filter) };
}

function unknownMembers(...names: readonly string[]): [pointer: string, code: string][] {
  return names.map((name) => [`/${name}`, 'unknown_member']);
}

const many = (count: number, item: unknown): unknown[] => Array.from({ length: count }, () => item);

/** Filters with the errors that each has by itself: pointer within the filter, and code. */
export const WRONG_FILTERS: [filter: unknown, ...errors: [pointer: string, code: string][]][] = [
  ['population > 1', ['', 'invalid_type']],
  [null, ['', 'invalid_type']],
  [[leaf], ['', 'invalid_type']],
  [{}, ['/attribute', 'missing_member'], ['/op', 'missing_member']],
  [{ attribute: 'a' }, ['/op', 'missing_member']],
  [{ attribute: 1, op: null, value: 1 }, ['/attribute', 'invalid_type'], ['/op', 'invalid_type']],
  [{ attribute: '\ud800', op: 'eq', value: 1 }, ['/attribute', 'invalid_text']],
  [{ attribute: 'a', op: 'eq' }, ['/value', 'missing_member']],
  [{ attribute: 'a', op: '=', value: 1 }, ['/op', 'unknown_operator']],
  [{ attribute: 'a', op: 'toString', value: 1 }, ['/op', 'unknown_operator']],
  [{ ...leaf, values: [1] }, ['/values', 'unknown_member']],
  [{ attribute: 'a', op: 'in', value: 1 }, ['/value', 'invalid_type']],
  [{ attribute: 'a', op: 'in', value: [] }, ['/value', 'invalid_value']],
  [{ attribute: 'a', op: 'between', value: [1] }, ['/value', 'invalid_value']],
  [{ attribute: 'a', op: 'in', value: many(1001, 1) }, ['/value', 'filter_too_large']],
  [
    { or: [many(600, 1), many(600, 1)].map((value) => ({ attribute: 'a', op: 'in', value })) },
    ['/or/1/value', 'filter_too_large'],
  ],
  [{ and: [] }, ['/and', 'invalid_filter']],
  [{ or: leaf }, ['/or', 'invalid_type']],
  [{ not: [leaf] }, ['/not', 'invalid_type']],
  [{ and: [leaf], or: [leaf] }, ['/or', 'unknown_member']],
  [
    { and: [leaf, 1, { op: 'eq', value: 1 }] },
    ['/and/1', 'invalid_type'],
    ['/and/2/attribute', 'missing_member'],
  ],
  [{ and: many(51, leaf) }, ['/and', 'filter_too_large']],
  [{ and: many(3, { or: many(20, leaf) }) }, ['/and/2/or/10', 'filter_too_large']],
  [nested(6), ['/and/0/and/0/and/0/and/0/and/0', 'filter_too_large']],
  [nested(30), ['/and/0/and/0/and/0/and/0/and/0', 'filter_too_large']],
  [{ related: 'orders' }, ['/some', 'missing_member']],
  [{ some: leaf }, ['/related', 'missing_member']],
  [{ related: 1, none: {} }, ['/related', 'invalid_type']],
  [{ related: '\ud800', some: {} }, ['/related', 'invalid_text']],
  [{ related: 'orders', some: leaf, none: leaf }, ['/none', 'unknown_member']],
  [{ related: 'orders', some: leaf, all: leaf }, ['/all', 'unknown_member']],
  [{ ...leaf, related: 'orders', some: {} }, ...unknownMembers('attribute', 'op', 'value')],
  [{ and: [leaf], some: leaf }, ['/some', 'unknown_member']],
  [{ related: 'orders', some: [] }, ['/some', 'invalid_type']],
  [{ related: 'orders', none: null }, ['/none', 'invalid_type']],
  [{ related: 'orders', some: { attribute: 'a', op: 'eq' } }, ['/some/value', 'missing_member']],
  [
    { not: { related: 'a', none: { op: 'eq', value: 1 } } },
    ['/not/none/attribute', 'missing_member'],
  ],
  [related(3, leaf), ['/some/some', 'filter_too_large']],
  [related(3, {}), ['/some/some', 'filter_too_large']],
  [{ related: 'orders', some: nested(5) }, ['/some/and/0/and/0/and/0/and/0', 'filter_too_large']],
  [{ and: many(26, related(1, leaf)) }, ['/and/25', 'filter_too_large']],
];

/** Filters that are well-formed at the limits. */
export const WELL_FORMED_FILTERS: readonly unknown[] = [
  leaf,
  nested(5),
  { and: many(50, leaf) },
  { not: { or: [leaf, { attribute: 'name', op: 'is_null' }] } },
  { attribute: 'name', op: 'is_null', value: false },
  { attribute: 'name', op: 'is_distinct', value: null },
  { attribute: 'name', op: 'in', value: many(1000, 'x') },
  { attribute: 'name', op: 'between', value: ['a', 'b'] },
  { related: 'orders', none: {} },
  { related: 'orders', some: nested(4) },
  related(2, leaf),
  related(2, {}),
  { and: [related(2, leaf), related(2, leaf)] },
  { and: many(25, related(1, leaf)) },
];
