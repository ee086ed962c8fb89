import { DatabaseSync } from 'node:sqlite';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decimalDigits, defineFunctions } from './functions.ts';

/** A ratio of bigints, which tells two decimal numbers apart without rounding. */
interface Ratio {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** `-1.5e-7` → −15 / 10^8. */
function ratioOf(text: string): Ratio {
  const {
    sign,
    whole = '',
    fraction = '',
    exponent = '0',
  } = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:e(?<exponent>[+-]\d+))?$/.exec(text)?.groups ?? {};
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const power = Number(exponent) - fraction.length;
  return power >= 0 ? { top: digits * 10n ** BigInt(power), bottom: 1n } : { top: digits, bottom: 10n ** BigInt(-power) };
}

function areEqual(a: Ratio, b: Ratio): boolean {
  return a.top * b.bottom === b.top * a.bottom;
}

const finite = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(
    5e-324,
    2.2250738585072014e-308,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    1e21,
    1e-7,
    123456789012345680000,
    1.5e300,
  ),
);

describe('the decimal digits of a real', () => {
  it('write out exactly the digits that JavaScript prints, for every finite number', () => {
    fc.assert(
      fc.property(finite, (value) => {
        const digits = decimalDigits(value);
        expect(digits).toMatch(/^-?\d+(\.\d+)?$/);
        expect(areEqual(ratioOf(digits), ratioOf(String(value)))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('read back to the same number', () => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(Number(decimalDigits(value)) === value).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('have no zeros that say nothing', () => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(decimalDigits(value)).not.toMatch(/^-?0\d|\.\d*0$/);
      }),
    );
  });

  it.each([
    [0.1, '0.1'],
    [1.5e-7, '0.00000015'],
    [-1.5e-7, '-0.00000015'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
    [-1.25e22, '-12500000000000000000000'],
    [1.2345e25, '12345000000000000000000000'],
    [100, '100'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
  ])('of %d are %s', (value, digits) => {
    expect(decimalDigits(value)).toBe(digits);
  });

  it('of the smallest number have 323 zeros after the point', () => {
    expect(decimalDigits(5e-324)).toBe(`0.${'0'.repeat(323)}5`);
  });
});

describe('the SQL functions', () => {
  const database = new DatabaseSync(':memory:');
  defineFunctions(database);

  function valueOf(expression: string, ...parameters: (number | string | Uint8Array | null)[]): unknown {
    return Object.values(database.prepare(`select ${expression}`).get(...parameters) ?? {})[0];
  }

  it.each([
    [0.1, '0.1'],
    [3, '3'],
    [1e21, '1e+21'],
    [5e-324, '5e-324'],
    [Number.POSITIVE_INFINITY, '"Infinity"'],
    [Number.NEGATIVE_INFINITY, '"-Infinity"'],
  ])('print the real %d as the JSON text %s', (value, text) => {
    expect(valueOf('dynamic_query_number(?)', value)).toBe(text);
  });

  it('print every real as JSON that reads back to it', () => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(JSON.parse(String(valueOf('dynamic_query_number(?)', value))) === value).toBe(true);
      }),
    );
  });

  it('print blobs as base64 with padding', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(valueOf('dynamic_query_base64(?)', bytes)).toBe(Buffer.from(bytes).toString('base64'));
      }),
    );
  });

  it('print an empty blob as an empty text', () => {
    expect(valueOf(`dynamic_query_base64(x'')`)).toBe('');
  });

  it.each(['dynamic_query_number', 'dynamic_query_decimal', 'dynamic_query_base64'])(
    '%s knows no answer for NULL and text',
    (name) => {
      expect(valueOf(`${name}(null)`)).toBeNull();
      expect(valueOf(`${name}('1')`)).toBeNull();
    },
  );
});
