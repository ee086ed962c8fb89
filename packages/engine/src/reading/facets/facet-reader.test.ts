import { describe, expect, it } from 'vitest';

import { readsBy } from '../../../test/reads-by.ts';
import { callOf } from '../../../test/call.ts';
import { QueryFailedError } from '../../errors.ts';
import type { FacetPlan } from '../../planning/plan-facets.ts';
import type { FacetsRead, FoundBins, FoundFacet } from '../../sources/source.ts';
import type { PreparedFacets } from '../../sql/prepared/preparer.ts';
import { FacetReader, facetsQuestion } from './facet-reader.ts';

const CONDITION = { kind: 'all' };

/** A facet of an attribute, of the records of the common filter unless it is said otherwise. */
function planOf(type: string, others: object = {}): FacetPlan {
  const rows = { condition: CONDITION };
  return { attribute: { name: type, type }, rows, limit: 5, ...others } as unknown as FacetPlan;
}

const COUNTS = { nulls: 1n, total: 9n, min: undefined, max: undefined };

const VALUES: FoundFacet = {
  ...COUNTS,
  kind: 'values',
  values: '[{"value":7,"count":"8"}]',
  distinct: 3n,
  min: '7',
  max: '9',
};

function bins(others: Partial<FoundBins> = {}): FoundFacet {
  const found = { bounds: ['1', '2', '3'], counts: [4n, 5n], others: 6n, sum: undefined };
  return { ...COUNTS, kind: 'bins', ...found, ...others };
}

interface Asked {
  readonly plans: readonly FacetPlan[];
  readonly maxBytes?: number;
  readonly versioned?: boolean;
}

/** The reply where a source finds these facets, or fails. */
async function replyTo(
  { plans: facets, maxBytes = 1000, versioned = true }: Asked,
  found: Omit<FacetsRead, 'version'> | Error,
) {
  const plan = { facets, counted: { condition: CONDITION }, facts: { versioned }, models: [] };
  const prepared = { key: 'key', namesKey: 'names', plan, statements: { maxBytes } };
  const answer = found instanceof Error ? Promise.reject(found) : { ...found, version: 'v7' };
  const source = readsBy<'facets'>({ facets: async () => answer });
  const question = facetsQuestion(prepared as unknown as PreparedFacets);
  return new FacetReader(source).read(question, callOf());
}

async function facetOf(plan: FacetPlan, facet: FoundFacet): Promise<unknown> {
  const { json = '' } = await replyTo({ plans: [plan] }, { facets: [facet], total: 9n });
  return (JSON.parse(json) as { facets: unknown[] }).facets[0];
}

/** Behind a digit, they are more than a double holds. */
const ZEROS = '0'.repeat(309);

const BIN = { from: 1, to: 2, count: '4' };
const BINS = { nulls: '1', others: '6', bins: [BIN, { from: 2, to: 3, count: '5' }] };

describe('a facet', () => {
  it.each<[string, string, FoundFacet, object]>([
    [
      'values',
      'int32',
      VALUES,
      { values: [{ value: 7, count: '8' }], distinct: '3', nulls: '1', min: 7, max: 9 },
    ],
    ['values', 'json', { ...VALUES, values: '[]' }, { values: [], distinct: '3', nulls: '1' }],
    ['bins', 'int32', bins(), { ...BINS, min: null, max: null }],
    ['bins', 'float64', { ...bins(), min: '1', max: '3' }, { ...BINS, min: 1, max: 3 }],
  ])('of %s of %s has its members in the reply', async (_kind, type, found, members) => {
    expect(await facetOf(planOf(type), found)).toEqual({ attribute: type, ...members });
  });

  it.each([
    ['int32', { text: '10', numbers: 4n }, '10', '2.5'],
    ['decimal', { text: '1.50', numbers: 3n }, '1.50', '0.50'],
    ['float64', { text: '1e21', numbers: 4n }, '1000000000000000000000', '250000000000000000000'],
    ['float64', { text: `1${ZEROS}`, numbers: 4n }, `1${ZEROS}`, `25${ZEROS.slice(2)}`],
    ['float64', { text: 'Infinity', numbers: 2n }, 'Infinity', 'Infinity'],
    ['decimal', { text: 'NaN', numbers: 2n }, 'NaN', 'NaN'],
    ['int32', { text: '0', numbers: 0n }, null, null],
    ['int32', { text: undefined, numbers: 2n }, null, null],
  ])(
    'of bins of %s has the sum of its values, %o, and their average',
    async (type, sum, text, average) => {
      expect(await facetOf(planOf(type), bins({ sum }))).toMatchObject({ sum: text, average });
    },
  );

  it('has the bounds of its bins in the zone that was asked for', async () => {
    const by = { bins: 1, place: 0, zone: 'Europe/Berlin' };
    const bounds = ['"2026-01-01T00:00:00Z"', '"2026-07-01T00:00:00Z"'];
    const found = bins({ bounds, counts: [4n] });
    const [from, to] = ['2026-01-01T01:00:00+01:00', '2026-07-01T02:00:00+02:00'];
    expect(await facetOf(planOf('timestamp_tz', { by }), found)).toMatchObject({
      bins: [{ from, to, count: '4' }],
    });
    expect(await facetOf(planOf('timestamp_tz'), found)).toMatchObject({
      bins: [{ from: '2026-01-01T00:00:00Z', to: '2026-07-01T00:00:00Z', count: '4' }],
    });
  });
});

describe('the reply of facets', () => {
  const other = planOf('text', { rows: { condition: { kind: 'other' } }, limit: 2 });
  const plans = [other, planOf('int32')];
  const facets = [{ ...VALUES, total: 4n }, VALUES];

  it('has the total of the common filter, from a facet of its records where none was counted', async () => {
    const replies = [undefined, 0n].map(async (total) => replyTo({ plans }, { facets, total }));
    const totals = (await Promise.all(replies)).map(({ json = '' }) => JSON.parse(json) as unknown);
    expect(totals).toMatchObject([{ total: '9' }, { total: '0' }]);
  });

  it('counts the values and bins that it has', async () => {
    const found = { facets: [...facets, bins()], total: 9n };
    const before = performance.now();
    const reply = await replyTo({ plans: [...plans, planOf('int32')] }, found);
    // The first one shows two of three values.
    expect(reply).toMatchObject({ rows: 7, version: 'v7', milliseconds: { count: 0 } });
    expect(reply.milliseconds.rows).toBeLessThanOrEqual(performance.now() - before);
  });

  it('has a version only where its models have one', async () => {
    const found = { facets: [VALUES], total: 9n };
    expect((await replyTo({ plans: [other], versioned: false }, found)).version).toBeUndefined();
  });

  it('is the same by its digest where its text is, and has one as long as it is asked for', async () => {
    const found = { facets: [VALUES], total: 9n };
    const replies = [found, found, { ...found, facets: [bins()] }];
    const [one, same, differs] = await Promise.all(
      replies.map(async (each) => (await replyTo({ plans: [other] }, each)).digest()),
    );
    expect([one === same, one === differs]).toEqual([true, false]);
  });

  it('is nothing where it is longer than it may be, by its bytes', async () => {
    const plan = planOf('ä'.repeat(10));
    const { json = '' } = await replyTo({ plans: [plan] }, { facets: [VALUES], total: 9n });
    const fits = async (maxBytes: number) =>
      (await replyTo({ plans: [plan], maxBytes }, { facets: [VALUES], total: 9n })).json === json;
    const length = Buffer.byteLength(json);
    expect([await fits(length), await fits(length - 1)]).toEqual([true, false]);
  });

  it('is nothing where the database finds more than it may return', async () => {
    const nothing = { json: undefined, rows: 0 };
    const failure = new QueryFailedError('reply_too_large', 'Too large.');
    expect(await replyTo({ plans }, failure)).toMatchObject(nothing);
    expect(await replyTo({ plans }, { facets: undefined, total: 5n })).toMatchObject(nothing);
  });

  it('fails as the database does, and where the database forgets a facet', async () => {
    const failure = new QueryFailedError('overloaded', 'Busy.');
    await expect(replyTo({ plans }, failure)).rejects.toBe(failure);
    await expect(replyTo({ plans }, { facets: [], total: 9n })).rejects.toThrow(
      'A facet is missing',
    );
  });
});
