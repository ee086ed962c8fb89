import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  type RequestError,
  errorSchema,
  MAX_ATTRIBUTES,
  type QueryRequest,
  readQueryRequest,
} from '../src/index.ts';

/** Other cases run with each commit. */
const SEED = Number(process.env['TEST_SEED']);

const name = fc
  .string({ unit: 'binary' })
  .filter((text) => text.isWellFormed() && !text.includes('\0'));
const pageNumber = fc.oneof(
  fc.integer({ min: 1, max: 50 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);

const validRequest: fc.Arbitrary<QueryRequest> = fc.record(
  {
    query_model: name,
    query_attributes: fc.uniqueArray(name, { minLength: 1, maxLength: MAX_ATTRIBUTES }),
    page: fc.record({ page: pageNumber, size: pageNumber }, { noNullPrototype: true }),
  },
  { noNullPrototype: true },
);

const brokenText = fc.constantFrom('a', 'a\0', '\ud800', '\udfff', '');
const brokenNumber = fc.constantFrom(0, -1, 1.5, -(2 ** 53), 2 ** 53, 1e300, '1', null, 1);
const memberName = fc.constantFrom(
  '__proto__',
  'constructor',
  'offset',
  'a/b',
  'm~n',
  '',
  'query_filter',
);

/**
 * An object of some of these members, in any order; made of entries, so that `__proto__` is a
 * member like any other.
 */
function someOf(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  const known = Object.entries(members).map(([member, value]) =>
    fc.tuple(fc.constant(member), value),
  );
  const unknown = fc.tuple(memberName, fc.jsonValue({ maxDepth: 1 }));
  return fc
    .array(fc.oneof(...known, unknown), { maxLength: 8 })
    .map((entries) => Object.fromEntries(entries) as object);
}

/** Bodies that are a request but for some errors: the ones that a caller really sends. */
const nearRequest = someOf({
  query_model: fc.oneof(name, brokenText, fc.jsonValue({ maxDepth: 1 })),
  query_attributes: fc.oneof(
    fc.array(fc.oneof(brokenText, fc.constant(1)), { maxLength: 5 }),
    fc.jsonValue({ maxDepth: 1 }),
  ),
  page: fc.oneof(someOf({ page: brokenNumber, size: brokenNumber }), fc.jsonValue({ maxDepth: 1 })),
});

const anyBody = fc.oneof(fc.jsonValue(), nearRequest, validRequest);

/**
 * Whether the pointer's place is in the body; of a missing member, whether its parent is there
 * without it.
 */
function pointsAt({ pointer, code }: RequestError, body: unknown): boolean {
  const steps = pointer.split('/').slice(1);
  const path = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = code === 'missing_member' ? path.pop() : undefined;
  let place = body;
  for (const step of path) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, step)) return false;
    place = Object.getOwnPropertyDescriptor(place, step)?.value;
  }
  return (
    last === undefined ||
    (typeof place === 'object' && place !== null && !Object.hasOwn(place, last))
  );
}

function errorsOf(body: unknown): RequestError[] {
  const reading = readQueryRequest(body);
  return reading.ok ? [] : reading.errors;
}

describe('reading any request', () => {
  it('gives a valid one back unchanged', () => {
    fc.assert(
      fc.property(validRequest, (request) => {
        expect(readQueryRequest(request)).toStrictEqual({ ok: true, request });
      }),
      { seed: SEED },
    );
  });

  it('finds any JSON value either whole or wrong, and never throws', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const reading = readQueryRequest(body);
        expect(reading.ok || reading.errors.length > 0).toBe(true);
        expect(reading.ok ? reading.request : body).toEqual(body);
      }),
      { numRuns: 500, seed: SEED },
    );
  });

  it('leaves the body as it was', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const before = structuredClone(body);
        readQueryRequest(body);
        expect(body).toEqual(before);
      }),
      { seed: SEED },
    );
  });
});

describe('the errors of any request', () => {
  it('point at a place in the body, or at a member that a place in it lacks', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        expect(errorsOf(body).filter((error) => !pointsAt(error, body))).toEqual([]);
      }),
      { numRuns: 500, seed: SEED },
    );
  });

  it('are listed once each, in the form of the contract', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const errors = errorsOf(body);
        expect(new Set(errors.map(({ pointer, code }) => `${code} ${pointer}`)).size).toBe(
          errors.length,
        );
        expect(errors.map((error) => errorSchema.parse(error))).toEqual(errors);
      }),
      { numRuns: 500, seed: SEED },
    );
  });

  it('leave the other members so well-formed that a valid request may have them', () => {
    fc.assert(
      fc.property(validRequest, anyBody, (request, body) => {
        const reading = readQueryRequest(body);
        const corrected = { ...request, ...(reading.ok ? reading.request : reading.wellFormed) };
        expect(readQueryRequest(corrected).ok).toBe(true);
      }),
      { numRuns: 500, seed: SEED },
    );
  });
});
