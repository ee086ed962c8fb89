import { type Filter, FILTER_LIMITS, readFilter, type ModelEntry } from '@proj/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { attribute } from '../../test/contract-service.ts';
import { selectRows } from '../../test/select-rows.ts';
import { KeyOrderError } from '../errors/errors.ts';
import { behind, both, checkSize } from './key-filter.ts';
import { keyOf, readAfter, walkableKey } from './key-walk.ts';

function model(key: readonly string[], entries: ModelEntry['attributes']): ModelEntry {
  return {
    name: 'm',
    description: null,
    attributes: entries,
    key: [...key],
    default_sort: [],
    max_page_size: 10,
  };
}

function refusal(filter: Filter, key: readonly string[]): unknown {
  try {
    checkSize('m', filter, key);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('the filter for the records behind a key', () => {
  it('is one comparison for one attribute', () => {
    expect(behind(['id'], { id: '7' })).toEqual({ attribute: 'id', op: 'gt', value: '7' });
  });

  it('compares step by step for several, the first one outermost, and never for equality', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({
      gt: { attribute: name, op: 'gt', value: 1 },
      gte: { attribute: name, op: 'gte', value: 1 },
    }));
    expect(behind(['a', 'b', 'c'], { a: 1, b: 1, c: 1 })).toEqual({
      and: [a?.gte, { or: [a?.gt, { and: [a?.gte, b?.gt] }, { and: [a?.gte, b?.gte, c?.gt] }] }],
    });
  });

  it('fits into the limits of the contract with the longest key and a filter of the caller', () => {
    const key = ['a', 'b', 'c', 'd', 'e'];
    const rest = behind(key, Object.fromEntries(key.map((name) => [name, 1])));
    const own = { and: [{ or: [{ not: { attribute: 'x', op: 'eq', value: 1 } }] }] };
    expect(readFilter({ and: [own, rest] }, []).errors).toEqual([]);
    expect(JSON.stringify(rest).split('"op"').length - 1).toBeLessThanOrEqual(
      FILTER_LIMITS.leaves / 3,
    );
  });

  it('is refused with a filter of the caller exactly where both pass the limits of the contract', () => {
    const leaf = { attribute: 'x', op: 'in' as const, value: [1, { number: '2' }] };
    const { tree } = fc.letrec<{ tree: Filter }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        fc.constant(leaf),
        fc.constant({ related: 'orders', some: {} }),
        fc.array(tie('tree'), { minLength: 1, maxLength: 8 }).map((and) => ({ and })),
        fc.array(tie('tree'), { minLength: 1, maxLength: 8 }).map((or) => ({ or })),
        tie('tree').map((not) => ({ not })),
        tie('tree').map((none) => ({ related: 'visits', none })),
      ),
    }));
    const key = fc.constantFrom(['a'], ['a', 'b'], ['a', 'b', 'c', 'd', 'e']);
    const seen = new Set<boolean>();
    fc.assert(
      fc.property(tree, key, (filter, parts) => {
        fc.pre(readFilter(filter, []).errors.length === 0);
        const rest = behind(parts, Object.fromEntries(parts.map((name) => [name, 1])));
        const isTooLarge = readFilter(both(filter, rest), []).errors.length > 0;
        expect(refusal(filter, parts) instanceof KeyOrderError).toBe(isTooLarge);
        seen.add(isTooLarge);
      }),
      { numRuns: 300 },
    );
    expect(seen).toEqual(new Set([true, false]));
  });

  it('divides every list of keys in two, in the order of the service', () => {
    const name = fc.constantFrom('a', 'A', 'b', 'B', 'c');
    const row = fc.record({ a: name, b: fc.integer({ min: 0, max: 3 }), c: name });
    const rows = fc.uniqueArray(row, {
      selector: ({ a, b, c }) => `${a}${b}${c}`.toLowerCase(),
      minLength: 1,
    });
    const entry = model(
      ['a', 'b', 'c'],
      [attribute('a', 'text'), attribute('b', 'int32'), attribute('c', 'text')],
    );
    const request = { query_model: 'm', query_attributes: ['a'], page: { page: 1, size: 9 } };
    fc.assert(
      fc.property(rows, fc.nat(), (list, number) => {
        const sorted = selectRows(list, entry, request);
        const index = number % sorted.length;
        const filter = readFilter(
          behind(entry.key, keyOf(sorted[index] ?? {}, entry.key)),
          [],
        ).filter;
        expect(selectRows(list, entry, { ...request, query_filter: filter })).toEqual(
          sorted.slice(index + 1),
        );
      }),
    );
  });
});

describe('a key to walk by', () => {
  it.each<[string, ModelEntry, string]>([
    [
      'is not shown',
      model([], []),
      'the token sees no whole key of it. An operator can let the role see every attribute of the key',
    ],
    [
      'is hidden',
      { ...model([], []), no_key: 'not_visible' },
      'the token does not see every part of its key. An operator can let the role see every attribute of the key',
    ],
    [
      'holds a date of SQLite',
      { ...model([], []), no_key: 'stored_dates' },
      'a part of its key is a date, which SQLite may store in several forms. An operator can declare another `key` for the model, or `type: text` for the date',
    ],
    [
      'is hidden in part',
      model(['a', 'b'], [attribute('a', 'int32')]),
      'the token does not see "b" of its key',
    ],
    [
      'cannot be sorted by',
      model(['a'], [attribute('a', 'json', { sortable: false })]),
      '"a" of its key cannot be sorted by',
    ],
    [
      'has no order',
      model(['a'], [attribute('a', 'uuid', { operators: ['eq'] })]),
      '"a" of its key does not take the operator "gt"',
    ],
    [
      'is longer than a sort may be',
      model(['a', 'b', 'c', 'd', 'e', 'f'], []),
      'its key has more than 5 attributes, by how many a request may sort',
    ],
  ])('is refused when it %s', (_what, entry, reason) => {
    expect(() => walkableKey(entry)).toThrow(KeyOrderError);
    expect(() => walkableKey(entry)).toThrow(
      `m: cannot be read in key order: ${reason}. Read it with order "page"`,
    );
  });
});

describe('the key to start behind', () => {
  it('travels in the order of the model, whole numbers as strings', () => {
    expect(
      JSON.stringify(readAfter({ b: 9_223_372_036_854_775_807n, a: 1, more: 2 }, ['a', 'b'])),
    ).toBe('{"a":1,"b":"9223372036854775807"}');
    expect(readAfter(null, ['a'])).toBeNull();
  });

  it.each([{ a: 1 }, { a: 1, b: null }])('is refused when a value is missing: %j', (after) => {
    expect(() => readAfter(after, ['a', 'b'])).toThrow(
      'after: expected a value for each attribute of the key (a, b); "b" has none',
    );
  });
});
