import { describe, expect, it } from 'vitest';

import { pageOf, queryOf } from '../../../test/page-questions.ts';
import { CacheStore } from '../../cache-store.ts';
import { QueryCosts } from './query-costs.ts';

const QUERY = queryOf();

function createCosts(): QueryCosts {
  return new QueryCosts(new CacheStore(10_000));
}

function batchOf(...pages: readonly (readonly [rows: number, count: number])[]) {
  return pages.map(([rows, count]) => pageOf({ milliseconds: { rows, count } }));
}

describe('the cost of a page with its total', () => {
  it('counts as expensive until it is known, and from more than 10 ms on', () => {
    const costs = createCosts();
    expect(costs.isExpensive(QUERY)).toBe(true);
    costs.notePage(QUERY, 10);
    expect(costs.isExpensive(QUERY)).toBe(false);
    costs.notePage(QUERY, 10.1);
    expect(costs.isExpensive(QUERY)).toBe(true);
  });

  it('is known for each list by itself', () => {
    const costs = createCosts();
    costs.notePage(QUERY, 1);
    expect(costs.isExpensive(queryOf({ list: 'other' }))).toBe(true);
  });
});

describe('rows', () => {
  it('are slow where most pages of the last batch took longer for rows than for the count', () => {
    const costs = createCosts();
    expect(costs.hasSlowRows(QUERY)).toBe(false);
    costs.noteBatch(QUERY, batchOf([2, 1], [2, 1], [1, 1]));
    expect(costs.hasSlowRows(QUERY)).toBe(true);
    costs.noteBatch(QUERY, batchOf([2, 1], [1, 1]));
    expect(costs.hasSlowRows(QUERY)).toBe(false);
  });

  it('and the cost of a page are known beside each other', () => {
    const costs = createCosts();
    costs.noteBatch(QUERY, batchOf([2, 1]));
    costs.notePage(QUERY, 1);
    expect([costs.hasSlowRows(QUERY), costs.isExpensive(QUERY)]).toEqual([true, false]);
  });
});

describe('the memory of costs', () => {
  it('holds many lists, and not all of them', () => {
    const costs = createCosts();
    for (let list = 0; list < 100; list++) costs.notePage(queryOf({ list: String(list) }), 1);
    const known = Array.from({ length: 100 }, (_, list) => queryOf({ list: String(list) })).filter(
      (query) => !costs.isExpensive(query),
    );
    expect(known.length).toBeGreaterThan(10);
    expect(known.length).toBeLessThan(30);
  });
});
