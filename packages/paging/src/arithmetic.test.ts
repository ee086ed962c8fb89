import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';

import { anyTotal, pageNearEnd, wireNumber, wirePage } from '../test/arbitraries.ts';
import {
  hasNextPage,
  isLastPage,
  lastPage,
  pageCount,
  pageOffset,
  pageRange,
  type PageRequest,
} from './arithmetic.ts';

const MAX = Number.MAX_SAFE_INTEGER;

describe('the examples of the specification', () => {
  it('puts 20 records before page 3 of size 10, which holds records 21 to 30', () => {
    expect(pageOffset({ page: 3, size: 10 })).toBe(20n);
    expect(pageRange({ page: 3, size: 10 }, 42)).toEqual({ first: 21n, last: 30n, count: 10n });
  });

  it.each([
    [1, true],
    [2, true],
    [3, true],
    [4, true],
    [5, false],
    [6, false],
  ])('says for page %i of 42 records in tens that another page follows: %s', (page, follows) => {
    expect(hasNextPage({ page, size: 10 }, 42)).toBe(follows);
  });

  it.each([
    [0, 10, 0n],
    [1, 10, 1n],
    [10, 10, 1n],
    [11, 10, 2n],
    [42, 10, 5n],
    [42, 1, 42n],
    [42, 100, 1n],
  ])('counts ceil(%i / %i) = %i pages', (total, size, pages) => {
    expect(pageCount(total, size)).toBe(pages);
  });

  it('ends 42 records in tens with a page of 2, and leaves page 6 empty', () => {
    expect(pageRange({ page: 5, size: 10 }, 42)).toEqual({ first: 41n, last: 42n, count: 2n });
    expect(pageRange({ page: 6, size: 10 }, 42)).toEqual({ first: null, last: null, count: 0n });
  });
});

describe('the last page', () => {
  it('is page 1 of an empty list, which has no pages to count', () => {
    expect(pageCount(0, 10)).toBe(0n);
    expect(lastPage(0, 10)).toBe(1n);
    expect(isLastPage({ page: 1, size: 10 }, 0)).toBe(true);
  });

  it('is one page only: neither the page before nor a page past the end', () => {
    const last = [4, 5, 6].map((page) => isLastPage({ page, size: 10 }, 42));
    expect(last).toEqual([false, true, false]);
  });
});

describe('over the whole legal range', () => {
  it('the offset is exact where a double would round', () => {
    expect(pageOffset({ page: MAX, size: MAX })).toBe(2n ** 106n - 3n * 2n ** 53n + 2n);
    fc.assert(
      fc.property(wirePage, ({ page, size }) => {
        expect(pageOffset({ page, size })).toBe(BigInt(page) * BigInt(size) - BigInt(size));
      }),
    );
  });

  it('another page follows exactly when page × size is below the total', () => {
    fc.assert(
      fc.property(pageNearEnd, ({ page, total }) => {
        expect(hasNextPage(page, total)).toBe(BigInt(page.page) * BigInt(page.size) < total);
      }),
    );
  });

  it('the page count is the quotient, and one more where a rest remains', () => {
    fc.assert(
      fc.property(anyTotal, wireNumber, (total, size) => {
        const rest = total % BigInt(size);
        expect(pageCount(total, size)).toBe(
          (total - rest) / BigInt(size) + (rest === 0n ? 0n : 1n),
        );
      }),
    );
  });

  it('the count of a page is the total less the offset, held between 0 and the size', () => {
    fc.assert(
      fc.property(pageNearEnd, ({ page, total }) => {
        const { first, last, count } = pageRange(page, total);
        const remaining = total - pageOffset(page);
        expect(count).toBe(
          remaining < 0n ? 0n : remaining > BigInt(page.size) ? BigInt(page.size) : remaining,
        );
        expect(first === null).toBe(count === 0n);
        expect(first === null || last === null ? 0n : last - first + 1n).toBe(count);
      }),
    );
  });

  it('no page follows the last one, and every page before it is followed', () => {
    fc.assert(
      fc.property(anyTotal, wireNumber, (total, size) => {
        const page = lastPage(total, size);
        expect(isLastPage({ page, size }, total)).toBe(true);
        expect(hasNextPage({ page, size }, total)).toBe(false);
        expect(page === 1n || hasNextPage({ page: page - 1n, size }, total)).toBe(true);
      }),
    );
  });

  it('the pages of a list hold each of its records once, in order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 1, max: 60 }),
        (total, size) => {
          const numbers: bigint[] = [];
          for (let page = 1n; page <= lastPage(total, size); page += 1n) {
            const { first, last } = pageRange({ page, size }, total);
            for (let number = first ?? 1n; number <= (last ?? 0n); number += 1n)
              numbers.push(number);
          }
          expect(numbers).toEqual(Array.from({ length: total }, (_, index) => BigInt(index + 1)));
        },
      ),
    );
  });

  it('numbers and bigints of one value give one answer', () => {
    fc.assert(
      fc.property(wirePage, fc.maxSafeNat(), ({ page, size }, total) => {
        const exact = { page: BigInt(page), size: BigInt(size) };
        expect(pageRange({ page, size }, total)).toEqual(pageRange(exact, BigInt(total)));
        expect(isLastPage({ page, size }, total)).toBe(isLastPage(exact, BigInt(total)));
      }),
    );
  });
});

const notANumber = [-1, 1.5, Number.NaN, Infinity, -Infinity, 2 ** 53, -1n];
const notPositive = [...notANumber, 0, -0, 0n];

describe('a quantity out of its range', () => {
  it.each(notPositive)('is refused as a page: %s', (page) => {
    const request = { page, size: 10 };
    for (const compute of [pageOffset, hasNextPage, isLastPage, pageRange]) {
      expect(() => compute(request, 42)).toThrow(RangeError);
    }
  });

  it.each(notPositive)('is refused as a size: %s', (size) => {
    const request = { page: 1, size };
    for (const compute of [pageOffset, hasNextPage, isLastPage, pageRange]) {
      expect(() => compute(request, 42)).toThrow(RangeError);
    }
    expect(() => pageCount(42, size)).toThrow(RangeError);
    expect(() => lastPage(42, size)).toThrow(RangeError);
  });

  it.each(notANumber)('is refused as a total: %s', (total) => {
    const request = { page: 1, size: 10 };
    for (const compute of [hasNextPage, isLastPage, pageRange]) {
      expect(() => compute(request, total)).toThrow(RangeError);
    }
    expect(() => pageCount(total, 10)).toThrow(RangeError);
    expect(() => lastPage(total, 10)).toThrow(RangeError);
  });

  it('is named in the message with what was expected and what was got', () => {
    expect(() => pageOffset({ page: 0, size: 10 })).toThrow(
      'page: expected a whole number of at least 1',
    );
    expect(() => pageOffset({ page: 1, size: 1.5 })).toThrow(
      'size: expected a whole number of at least 1',
    );
    expect(() => pageCount(-1, 10)).toThrow('total: expected a whole number of at least 0');
    expect(() => pageCount(2 ** 53, 10)).toThrow('got 9007199254740992');
  });

  it.each([
    ['3', 'string'],
    ['', 'string'],
    ['0x3', 'string'],
    [true, 'boolean'],
    [null, 'object'],
    [undefined, 'undefined'],
    [[3], 'object'],
    [Object.create(null), 'object'],
    [Symbol('3'), 'symbol'],
  ])('is refused from an untyped caller too, where %o would pass for the number', (page, type) => {
    const request = { page, size: 10 } as unknown as PageRequest;
    const got = `at most 2^53 − 1 or a bigint; got one of type ${type}`;
    expect(() => pageOffset(request)).toThrow(
      new RangeError(`page: expected a whole number of at least 1, ${got}`),
    );
  });

  it('takes a total of −0 for 0', () => {
    expect(pageCount(-0, 10)).toBe(0n);
    expect(pageRange({ page: 1, size: 10 }, -0).count).toBe(0n);
  });
});

it('answers in bigints whatever the request is made of', () => {
  expectTypeOf(pageOffset).returns.toEqualTypeOf<bigint>();
  expectTypeOf<PageRequest<number>>().toExtend<PageRequest>();
  expectTypeOf<PageRequest<bigint>>().toExtend<PageRequest>();
});
