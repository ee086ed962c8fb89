import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';

import { wireNumber } from '../test/arbitraries.ts';
import { paginate, type Paginated } from './paginate.ts';

const numbers = Array.from({ length: 42 }, (_, index) => index + 1);

describe('one page of an array', () => {
  it('holds records 21 to 30 on page 3 of size 10', () => {
    expect(paginate(numbers, { page: 3, size: 10 })).toStrictEqual({
      result: [21, 22, 23, 24, 25, 26, 27, 28, 29, 30],
      page: { page: '3', size: '10', total: '42', has_next: true },
    });
  });

  it('holds the 2 records that remain on the last page', () => {
    expect(paginate(numbers, { page: 5, size: 10 })).toStrictEqual({
      result: [41, 42],
      page: { page: '5', size: '10', total: '42', has_next: false },
    });
  });

  it('is empty past the end, and still carries the true total', () => {
    const page = paginate(numbers, { page: 6, size: 10 });
    expect(page).toStrictEqual({
      result: [],
      page: { page: '6', size: '10', total: '42', has_next: false },
    });
  });

  it('is empty as far past the end as a request can ask', () => {
    const far = Number.MAX_SAFE_INTEGER;
    expect(paginate(numbers, { page: far, size: far }).result).toEqual([]);
    expect(paginate(numbers, { page: 2, size: far }).result).toEqual([]);
    expect(paginate(numbers, { page: 1, size: far }).result).toEqual(numbers);
    expect(paginate(numbers, { page: 10n ** 40n, size: 1n }).result).toEqual([]);
  });

  it('is empty where the list is, with a total of "0"', () => {
    const page = paginate([], { page: 1, size: 10 });
    expect(page).toStrictEqual({
      result: [],
      page: { page: '1', size: '10', total: '0', has_next: false },
    });
  });

  it('leaves the list as it was, and is an array of its own', () => {
    const list = [1, 2, 3];
    const { result } = paginate(list, { page: 1, size: 3 });
    result.push(4);
    expect(list).toEqual([1, 2, 3]);
  });

  it.each([0, -0, -1, 1.5, Number.NaN, Infinity, 2 ** 53])(
    'is refused for a page or a size of %s',
    (value) => {
      expect(() => paginate(numbers, { page: value, size: 10 })).toThrow(RangeError);
      expect(() => paginate(numbers, { page: 1, size: value })).toThrow(RangeError);
    },
  );

  it('has the type of the records', () => {
    expectTypeOf(paginate(['a'] as const, { page: 1, size: 1 })).toEqualTypeOf<Paginated<'a'>>();
  });
});

describe('the pages of an array', () => {
  it('read while another follows, are the array', () => {
    fc.assert(
      fc.property(
        fc.array(fc.anything(), { maxLength: 100 }),
        fc.integer({ min: 1, max: 40 }),
        (list, size) => {
          const read: unknown[] = [];
          let follows = true;
          for (let page = 1; follows; page += 1) {
            const { result, page: metadata } = paginate(list, { page, size });
            read.push(...result);
            follows = metadata.has_next;
          }
          expect(read).toStrictEqual(list);
        },
      ),
    );
  });

  it('hold those records whose index divided by the size gives the page before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        wireNumber,
        wireNumber,
        (length, page, size) => {
          const list = Array.from({ length }, (_, index) => index);
          const expected = list.filter((index) => Math.floor(index / size) === page - 1);
          expect(paginate(list, { page, size }).result).toEqual(expected);
        },
      ),
    );
  });
});
