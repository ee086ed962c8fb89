import { DatabaseSync } from 'node:sqlite';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { defineFunctions } from './functions.ts';

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

describe('the SQL functions', () => {
  const database = new DatabaseSync(':memory:');
  defineFunctions(database);

  function valueOf(
    expression: string,
    ...parameters: (number | string | Uint8Array | null)[]
  ): unknown {
    return Object.values(database.prepare(`select ${expression}`).get(...parameters) ?? {})[0];
  }

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
        expect(valueOf('dynamic_query_base64(?)', bytes)).toBe(
          Buffer.from(bytes).toString('base64'),
        );
      }),
    );
  });

  it.each(['dynamic_query_number', 'dynamic_query_decimal', 'dynamic_query_base64'])(
    '%s knows no answer for NULL and text',
    (name) => {
      expect(valueOf(`${name}(null)`)).toBeNull();
      expect(valueOf(`${name}('1')`)).toBeNull();
    },
  );
});
