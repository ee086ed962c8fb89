import { NO_KEY } from '@proj/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildCatalogue } from '../catalogue/build/build.ts';
import { EVERYTHING, Grant } from '../catalogue/grant.ts';
import type { Relation } from '../catalogue/relation.ts';
import { planQuery } from './plan.ts';

function relation(name: string, columns: readonly string[]): Relation {
  const described = columns.map(
    (column) =>
      ({
        name: column,
        databaseType: 'TEXT',
        type: 'text',
        nullable: true,
        description: null,
      }) as const,
  );
  return {
    path: [name],
    name,
    kind: 'table',
    columns: described,
    keys: [[{ column: 'id' }]],
    description: null,
  };
}

const RELATIONS = [
  relation('cities', ['id', 'name', 'population', 'UPPER_CASE']),
  relation('secrets', ['id', 'token']),
  relation('__proto__', ['id', 'constructor']),
];
const { catalogue } = buildCatalogue(RELATIONS, {
  expose: 'all',
  models: { secrets: { maxPageSize: 5 } },
  maxPageSize: 100,
});
const CITIES_ONLY = new Grant(new Map([['cities', { attributes: 'all' }]]));

function body(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    query_model: 'cities',
    query_attributes: ['name'],
    page: { page: 3, size: 10 },
    ...changes,
  };
}

/** The errors in the order of their pointers. */
function sortedErrorsOf(request: unknown): [pointer: string, code: string][] {
  return errorsOf(request).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function errorsOf(request: unknown, grant: Grant = EVERYTHING): [pointer: string, code: string][] {
  const planning = planQuery(request, catalogue, grant);
  return planning.ok ? [] : planning.errors.map(({ pointer, code }) => [pointer, code]);
}

function suggestionFor(request: unknown, grant: Grant = EVERYTHING): (string | undefined)[] {
  const planning = planQuery(request, catalogue, grant);
  return planning.ok ? [] : planning.errors.map((error) => error.did_you_mean);
}

describe('a plan', () => {
  it('holds what to read, in the order of the request', () => {
    const planning = planQuery(
      body({ query_attributes: ['population', 'id', 'name'] }),
      catalogue,
      EVERYTHING,
    );
    expect(planning).toMatchObject({
      ok: true,
      plan: {
        name: 'cities',
        rows: { kind: 'table', model: { name: 'cities' } },
        relations: [['cities']],
        attributes: [{ name: 'population' }, { name: 'id' }, { name: 'name' }],
        order: [{ column: 'id', direction: 'asc' }],
      },
      place: { page: 3 },
      request: { page: { size: 10 } },
      visible: { maxPageSize: 100 },
    });
  });

  it('finds names that objects know by themselves', () => {
    expect(errorsOf(body({ query_model: '__proto__', query_attributes: ['constructor'] }))).toEqual(
      [],
    );
    expect(errorsOf(body({ query_model: 'toString' }))).toEqual([
      ['/query_model', 'unknown_model'],
    ]);
    expect(errorsOf(body({ query_attributes: ['__proto__', 'toString'] }))).toEqual([
      ['/query_attributes/0', 'unknown_attribute'],
      ['/query_attributes/1', 'unknown_attribute'],
    ]);
  });

  it('takes the largest size and refuses one more, with the maximum of the model', () => {
    expect(errorsOf(body({ page: { page: 1, size: 100 } }))).toEqual([]);
    expect(planQuery(body({ page: { page: 1, size: 101 } }), catalogue, EVERYTHING)).toMatchObject({
      errors: [{ pointer: '/page/size', code: 'size_too_large', maximum: 100 }],
    });
    const secrets = body({
      query_model: 'secrets',
      query_attributes: ['id'],
      page: { page: 1, size: 6 },
    });
    expect(planQuery(secrets, catalogue, EVERYTHING)).toMatchObject({ errors: [{ maximum: 5 }] });
  });
});

function containing(key: object, changes = {}): Record<string, unknown> {
  return body({ page: { containing: key, size: 10 }, ...changes });
}

describe('a page that is named by a record', () => {
  it('is planned as a comparison of each part of the key, as `eq` in a filter is', () => {
    const planning = planQuery(containing({ id: 'x' }), catalogue, EVERYTHING);
    expect(planning).toMatchObject({
      ok: true,
      request: { page: { size: 10 } },
      place: { record: { and: [{ attribute: { name: 'id' }, op: 'eq', values: ['x'] }] } },
    });
  });

  it.each<[object, [pointer: string, code: string][]]>([
    [{}, [['/page/containing/id', 'missing_member']]],
    [{ id: 7 }, [['/page/containing/id', 'invalid_value']]],
    [{ id: null }, [['/page/containing/id', 'invalid_value']]],
    [{ id: 'x', name: 'y' }, [['/page/containing/name', 'unknown_member']]],
    [{ id: 'x', 'na/me': 'y' }, [['/page/containing/na~1me', 'unknown_member']]],
  ])('has exactly the parts of the key, each with a value that fits: %j', (key, errors) => {
    expect(errorsOf(containing(key))).toEqual(errors);
  });

  it('is refused where the caller does not see the key, whatever it names', () => {
    const attributes = new Set(['name']);
    const nameless = new Grant(new Map([['cities', { attributes }]]));
    for (const key of [{ id: 'x' }, { id: 7 }, {}, { name: 'x' }])
      expect(errorsOf(containing(key), nameless)).toEqual([['/page/containing', 'no_visible_key']]);
    const planning = planQuery(containing({ id: 'x' }), catalogue, nameless);
    const detail = expect.stringContaining(NO_KEY.not_visible.reason) as string;
    expect(planning).toMatchObject({ errors: [{ detail }] });
  });
});

describe('how far a total is counted', () => {
  it.each([
    [undefined, undefined],
    ['exact', undefined],
    ['none', 0],
    [{ up_to: 7 }, 7],
    [{ up_to: 1_000_000 }, 1_000_000],
  ])('follows from query_total %j', (query_total, countLimit) => {
    const request = body(query_total === undefined ? {} : { query_total });
    expect(planQuery(request, catalogue, EVERYTHING)).toMatchObject({ ok: true, countLimit });
  });

  it('is refused beyond the limit of the settings, which the error names', () => {
    const request = body({ query_total: { up_to: 1_000_001 } });
    expect(planQuery(request, catalogue, EVERYTHING)).toMatchObject({
      errors: [{ pointer: '/query_total/up_to', code: 'invalid_query_total', maximum: 1_000_000 }],
    });
  });
});

it.each([0, 1.5, -1])(
  'a total counted up to %j is refused with the range of the settings',
  (up_to) => {
    expect(planQuery(body({ query_total: { up_to } }), catalogue, EVERYTHING)).toMatchObject({
      errors: [
        {
          pointer: '/query_total/up_to',
          code: 'invalid_query_total',
          detail: '/query_total/up_to: expected a whole number from 1 to 1000000.',
          maximum: 1_000_000,
        },
      ],
    });
  },
);

describe('the errors of a request', () => {
  it('are all listed, each with its pointer', () => {
    const request = {
      query_model: 'cities',
      query_attributes: ['nmae', 'id', 'id', 'x\0'],
      page: { page: 0, size: 101, ofset: 1 },
      'a/b~c': 1,
    };
    expect(sortedErrorsOf(request)).toEqual([
      ['/a~1b~0c', 'unknown_member'],
      ['/page/ofset', 'unknown_member'],
      ['/page/page', 'out_of_range'],
      ['/query_attributes/2', 'duplicate_attribute'],
      ['/query_attributes/3', 'invalid_text'],
    ]);
  });

  it.each(['eq', 'ne', 'lt', 'is_distinct', 'contains'])(
    'of a filter by %s are listed where a list is in the place of its value',
    (op) => {
      for (const value of [[], ['a'], [[]]]) {
        const request = body({ query_filter: { attribute: 'name', op, value } });
        expect(errorsOf(request)).toEqual([['/query_filter/value', 'invalid_value']]);
      }
    },
  );

  it('of its shape are listed with unknown names in its well-formed members', () => {
    const request = {
      query_model: 'cities',
      query_attributes: ['nmae', 'x'],
      page: { page: '1', size: 10 },
    };
    expect(errorsOf(request)).toEqual([
      ['/page/page', 'invalid_type'],
      ['/query_attributes/0', 'unknown_attribute'],
      ['/query_attributes/1', 'unknown_attribute'],
    ]);
  });

  it.each([null, 1, 'x', [], true, undefined])('of the body %j are one, at the root', (request) => {
    expect(errorsOf(request)).toEqual([['', 'invalid_type']]);
  });

  it('of an empty object are the three missing members', () => {
    expect(errorsOf({})).toEqual([
      ['/query_model', 'missing_member'],
      ['/query_attributes', 'missing_member'],
      ['/page', 'missing_member'],
    ]);
  });

  it('never fail to be found, whatever JSON arrives', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (request) => {
        const planning = planQuery(request, catalogue, EVERYTHING);
        expect(planning.ok || planning.errors.length > 0).toBe(true);
      }),
    );
  });

  it('never fail to be found in a body with the right members', () => {
    const page = fc.oneof(
      fc.jsonValue(),
      fc.record({ page: fc.jsonValue(), size: fc.jsonValue() }),
    );
    const bodies = fc.record({
      query_model: fc.oneof(fc.constant('cities'), fc.jsonValue()),
      query_attributes: fc.jsonValue(),
      page,
    });
    fc.assert(
      fc.property(bodies, (request) => {
        const planning = planQuery(request, catalogue, EVERYTHING);
        expect(
          planning.ok ||
            planning.errors.every(
              ({ pointer, detail }) => pointer.startsWith('/') && detail !== '',
            ),
        ).toBe(true);
      }),
    );
  });
});

describe('names that a caller may not see', () => {
  it('give the same errors as names that do not exist', () => {
    const invisible = planQuery(
      body({ query_model: 'secrets', query_attributes: ['token'] }),
      catalogue,
      CITIES_ONLY,
    );
    const unknown = planQuery(
      body({ query_model: 'zecrets', query_attributes: ['token'] }),
      catalogue,
      CITIES_ONLY,
    );
    expect(JSON.stringify(unknown).replaceAll('zecrets', 'secrets')).toBe(
      JSON.stringify(invisible),
    );
    expect(errorsOf(body({ query_model: 'secrets' }), CITIES_ONLY)).toEqual([
      ['/query_model', 'unknown_model'],
    ]);
  });

  it('give the same errors for every request, whether the model is hidden or does not exist', () => {
    const withoutSecrets = buildCatalogue(RELATIONS.slice(0, 1), {
      expose: 'all',
      models: {},
      maxPageSize: 100,
    }).catalogue;
    const names = fc.oneof(
      fc.constantFrom('secrets', 'secret', 'Secrets', 'sekrets', 'cities', 'citys'),
      fc.string(),
    );
    const requests = fc.record({
      query_model: names,
      query_attributes: fc.array(names),
      page: fc.constant({ page: 1, size: 50 }),
    });
    fc.assert(
      fc.property(requests, (request) => {
        const { ok, ...hidden } = planQuery(request, catalogue, CITIES_ONLY);
        const { ok: alsoOk, ...absent } = planQuery(request, withoutSecrets, EVERYTHING);
        expect(ok).toBe(alsoOk);
        expect('errors' in hidden ? hidden.errors : []).toEqual(
          'errors' in absent ? absent.errors : [],
        );
      }),
    );
  });

  it('are never suggested', () => {
    expect(suggestionFor(body({ query_model: 'secret' }), CITIES_ONLY)).toEqual([undefined]);
    expect(suggestionFor(body({ query_model: 'secret' }))).toEqual(['secrets']);
    expect(suggestionFor(body({ query_model: 'citys' }), new Grant(new Map()))).toEqual([
      undefined,
    ]);
  });

  it('are never suggested, whatever name is requested', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('secret', 'cecrets', '_proto_')),
        (name) => {
          const [suggestion] = suggestionFor(body({ query_model: name }), CITIES_ONLY);
          expect([undefined, 'cities']).toContain(suggestion);
        },
      ),
    );
  });
});

describe('did you mean', () => {
  it.each([
    ['city', 'cities'],
    ['citeis', 'cities'],
    ['CITIES', 'cities'],
    ['citiess', 'cities'],
    ['something else', undefined],
    ['', undefined],
    ['c'.repeat(5000), undefined],
  ])('answers %j with %j', (name, expected) => {
    expect(suggestionFor(body({ query_model: name }), CITIES_ONLY)).toEqual([expected]);
  });

  it('finds a name that is written in capitals', () => {
    expect(suggestionFor(body({ query_attributes: ['upper_case'] }))).toEqual(['UPPER_CASE']);
    expect(suggestionFor(body({ query_attributes: ['Uper_Case'] }))).toEqual(['UPPER_CASE']);
  });

  it('quotes at most 64 characters of the requested name', () => {
    const planning = planQuery(body({ query_model: 'x'.repeat(10_000) }), catalogue, EVERYTHING);
    expect(planning.ok ? '' : planning.errors[0]?.detail).toBe(
      `No model is named "${'x'.repeat(64)}…".`,
    );
  });
});
