import { describe, expect, it } from 'vitest';

import { planOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import type { KeyRange } from '../clauses/seek.ts';
import { PreparedQuery } from './prepared-query.ts';

const EVERY_ROW: KeyRange = { nulls: [], next: 'anything' };
const OPTIONS = { shortPageProof: true, readBackwards: true, maxReplyBytes: 1000 };

function prepared(): PreparedQuery {
  return new PreparedQuery(planOf(), plainDialect, OPTIONS);
}

describe('a prepared query', () => {
  it('compiles its statements once', () => {
    const query = prepared();
    expect(query.statements).toBe(query.statements);
    expect(query.statements.count.sql).toBe('select count(*) from "notes" as "t"');
  });

  it('compiles its bounded statements, its whole list and how to find records once', () => {
    const query = prepared();
    expect(query.bounded).toBe(query.bounded);
    expect(query.bounded.count.sql).toContain('limit ?');
    expect(query.bounded.reversed).toBeUndefined();
    expect(query.statements.reversed).toBeDefined();
    expect(query.wholeList).toBe(query.wholeList);
    expect(query.wholeList.records.sql).toMatch(/^each "t"."word" from "notes"/);
    expect(query.typedList(() => true)).toEqual({ ...query.wholeList, misfit: undefined });
    expect(query.records).toBe(query.records);
    expect(query.records).toBeDefined();
    const page = query.recordPage({ and: [] }, 7);
    expect(page).toMatchObject({ rows: query.statements.rows });
    expect(page.atOnce?.sql).toMatch(/% 7[^]*at_most\(1000\)|at_most\(1000\)[^]*% 7/);
  });

  it('finds no records where statements may see several states', () => {
    const plan = planOf();
    const facts = { ...plan.facts, hasSnapshots: false };
    const query = new PreparedQuery({ ...plan, facts }, plainDialect, OPTIONS);
    expect([query.records, query.records]).toEqual([undefined, undefined]);
  });

  it('compiles one seek for each shape of a key', () => {
    const query = prepared();
    const shapes = [true, false].flatMap((reachesNulls) =>
      [[true], [false]].map((nulls) => ({ nulls, reachesNulls })),
    );
    const seeks = shapes.map((shape) => query.seek(shape));
    expect(new Set(seeks).size).toBe(4);
    expect(shapes.map((shape) => query.seek({ ...shape }))).toEqual(seeks);
    expect(query.seek({ nulls: [false], reachesNulls: true })).toBe(seeks[1]);
    expect(seeks[0]?.sql).toMatch(/^at_most\(1000\) /);
  });

  it('compiles the statements of its keys once for each range', () => {
    const query = prepared();
    const ranges = [EVERY_ROW, { nulls: [], next: 'later' } as const];
    const keys = ranges.map((range) => query.keys({ range, step: 10 }));
    expect(keys[1]).not.toEqual(keys[0]);
    expect(ranges.map((range) => query.keys({ range, step: 10 }))).toEqual(keys);
    expect(query.keys({ range: { ...EVERY_ROW }, step: 10 })).toBe(keys[0]);
    expect(query.keys({ range: EVERY_ROW, step: 11 })).not.toEqual(keys[0]);
  });

  it('has no keys where the dialect has none', () => {
    const { keys: _, ...keyless } = plainDialect;
    const query = new PreparedQuery(planOf(), keyless, OPTIONS);
    expect(query.keys({ range: EVERY_ROW, step: 10 })).toBeUndefined();
    expect(query.keyRanges()).toEqual([]);
  });

  it('has the ranges of all its records, and of those after a key', () => {
    expect(prepared().keyRanges()).toEqual([EVERY_ROW]);
    expect(prepared().keyRanges([7])).toEqual([{ nulls: [], next: 'later' }]);
  });
});
