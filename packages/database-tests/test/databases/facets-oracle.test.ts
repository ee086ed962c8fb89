import { facetsOf } from '@proj/contract';
import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { askFacets, type Facet } from './checked-facets.ts';
import { anyRequest, type Filter, type OracleRequest } from './oracle-requests.ts';
import { askClient, TABLE, useOracleTable } from './oracle-run.ts';
import { oracleSql, type Spelling, spellingOf } from './oracle-sql.ts';
import { wireTypeOf } from './tables.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REQUESTS = beforeRelease ? 500 : 40;

/** So many requests are under way at a time. */
const ABREAST = 8;

const KINDS = Object.entries(TABLE.columns).flatMap(([attribute, spec]) =>
  facetsOf(wireTypeOf(spec)).flatMap((kind) => (kind === 'sum' ? [] : [{ attribute, kind }])),
);

/** A facet of the records that a filter keeps. */
interface Asked {
  readonly filter: OracleRequest['filter'];
  readonly attribute: string;
  readonly kind: 'values' | 'bins';
  readonly parts: number;
  readonly sort: 'count' | 'value';
}

const asked: readonly Asked[] = fc.sample(
  fc
    .record({
      request: anyRequest,
      facet: fc.constantFrom(...KINDS),
      parts: fc.integer({ min: 1, max: 9 }),
      sort: fc.constantFrom('count' as const, 'value' as const),
    })
    .map(({ request: { filter }, facet, parts, sort }) => ({ filter, ...facet, parts, sort })),
  { numRuns: REQUESTS, seed: SEED },
);

function facetOf({ attribute, kind, parts, sort }: Asked): object {
  return kind === 'bins' ? { attribute, bins: parts } : { attribute, values: parts, sort };
}

/** The statement that counts the records of a filter, by hand. */
function countSql(filter: Asked['filter'], spelling: Spelling): string {
  const request = { attributes: ['id'], filter, sort: [], page: 1, size: 1 } as OracleRequest;
  return oracleSql(TABLE.name, request, spelling).split(';\nselect id')[0] ?? '';
}

/** What a facet says, as numbers: total, NULLs, values, and the records of each value or bin. */
function numbersOf({ total, facet }: { total: string; facet: Facet }, { sort }: Asked): number[] {
  const parts = (facet.values ?? facet.bins ?? []).map(({ count }) => Number(count));
  // Without an order of their own the counts of values can be compared as numbers alone.
  const counts = facet.bins === undefined && sort === 'count' ? parts.toSorted(downwards) : parts;
  return [Number(total), Number(facet.nulls), Number(facet.distinct ?? -1), ...counts];
}

function downwards(one: number, other: number): number {
  return other - one;
}

/** Statements that print the same numbers, a line for each. */
function oracleOf(facet: Facet, one: Asked, spelling: Spelling): string[] {
  const { filter, attribute, kind, parts, sort } = one;
  const count = countSql(filter, spelling);
  const from = count.replace('select count(*)', '');
  const isNull: Filter = { attribute, op: 'is_null', value: true };
  const nulls = countSql(filter === undefined ? isNull : { and: [filter, isNull] }, spelling);
  if (kind === 'values') {
    const order = sort === 'count' ? 'count(*) desc' : attribute;
    const where = from.includes(' where ') ? from.replace(' where ', ' where (') + ')' : from;
    const joint = from.includes(' where ') ? 'and' : 'where';
    return [
      count,
      nulls,
      `select count(distinct ${attribute})${from}`,
      `select count(*)${where} ${joint} ${attribute} is not null group by ${attribute} order by ${order} limit ${parts}`,
    ];
  }
  const bins = (facet.bins ?? []).map(({ from: least, to }, index, all) => {
    const upper = index === all.length - 1 ? 'lte' : 'lt';
    const between = [
      { attribute, op: 'gte', value: least },
      { attribute, op: upper, value: to },
    ] as Filter[];
    return countSql({ and: filter === undefined ? between : [filter, ...between] }, spelling);
  });
  return [count, nulls, 'select -1', ...bins];
}

describe.each(FIXTURES)(`${REQUESTS} random facets on $name (seed ${SEED})`, (fixture) => {
  const opened = useOracleTable(fixture);

  async function answers(): Promise<{ total: string; facet: Facet }[]> {
    const found: { total: string; facet: Facet }[] = [];
    for (let from = 0; from < asked.length; from += ABREAST)
      found.push(
        ...(await Promise.all(
          asked.slice(from, from + ABREAST).map(async (one) => {
            const request = { model: TABLE.name, facets: [facetOf(one)], filter: one.filter };
            const { facets, total } = await askFacets(opened().engine, request);
            const [facet] = facets;
            if (facet === undefined) throw new Error('The reply has no facet.');
            return { total, facet };
          }),
        )),
      );
    return found;
  }

  it('have the numbers that SQL written by hand gives through the database’s own client', async () => {
    const spelling = spellingOf(fixture);
    const found = await answers();
    const statements = asked.map((one, index) => {
      const { facet } = found[index] ?? {};
      return facet === undefined ? [] : oracleOf(facet, one, spelling);
    });
    const scripts = statements.map((all) => `${all.join(';\n')};`);
    const expected = await askClient(opened().database, scripts);
    for (const [index, one] of asked.entries()) {
      const reply = found[index];
      const given = reply && numbersOf(reply, one);
      expect(given, `${JSON.stringify(one)}\n${statements[index]?.join('\n')}`).toEqual(
        expected[index],
      );
    }
  });
});
