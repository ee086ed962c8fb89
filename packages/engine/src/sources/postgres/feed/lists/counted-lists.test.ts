import { describe, expect, it } from 'vitest';

import type { Attribute } from '../../../../catalogue/model.ts';
import type { Condition } from '../../../../planning/condition.ts';
import { type CountedRelation, CountedLists } from './counted-lists.ts';
import { RelationLog } from '../changes/relation-log.ts';

const COLUMNS = ['low', 'high'].map((name) => ({ name, type: 'integer', isEnum: false }));

function relationOf(isFull = true): CountedRelation {
  const schema = { columns: COLUMNS, isUnicode: true, isFull };
  return { log: new RelationLog(1n), schema };
}

/** A condition of its own: an attribute, whose column may have another name, has this value. */
function equals(value: number, column = 'low'): Condition {
  const attribute = { name: 'size', column, type: 'int32', databaseType: 'integer' } as Attribute;
  return { attribute, op: 'eq', values: [BigInt(value)] };
}

describe('the totals of filtered lists', () => {
  it('are followed where the log has whole rows and the condition can be decided', () => {
    const totals = new CountedLists();
    expect(totals.begin(relationOf(), equals(7))).toBe(true);
    expect(totals.begin(relationOf(false), equals(7))).toBe(false);
    expect(totals.begin(relationOf(), equals(7, 'other'))).toBe(false);
  });

  it('are those of equal conditions on the same columns of one relation', () => {
    const [totals, relation] = [new CountedLists(), relationOf()];
    totals.begin(relation, equals(7));
    const list = totals.get(relation, equals(7));
    expect(list).toBeDefined();
    expect(totals.begin(relation, equals(7))).toBe(true);
    expect(totals.get(relation, equals(7))).toBe(list);
    for (const other of [equals(8), equals(7, 'high'), { not: equals(7) }, { and: [equals(7)] }])
      expect(totals.get(relation, other)).toBeUndefined();
    expect(totals.get(relationOf(), equals(7))).toBeUndefined();
    expect(relation.log.lists).toEqual([list]);
  });

  it('have the condition for which a row is counted, and no keys', () => {
    const relation = relationOf();
    new CountedLists().begin(relation, equals(7));
    const [{ rows } = { rows: undefined }] = relation.log.lists;
    expect(rows?.key).toBeUndefined();
    const met = ['7', '8'].map((value) => rows?.condition?.isMet(() => value));
    expect(met).toEqual([true, false]);
  });

  it('do not go for others that were only looked for', () => {
    const [totals, relation] = [new CountedLists(), relationOf()];
    totals.begin(relation, equals(0));
    for (let value = 1; value < 20; value++) totals.get(relation, equals(value));
    totals.begin(relation, equals(20));
    expect(totals.get(relation, equals(0))).toBeDefined();
  });

  it('go where they are too many: the one that was not used for longest', () => {
    const [totals, relation] = [new CountedLists(), relationOf()];
    for (let value = 0; value < 16; value++) totals.begin(relation, equals(value));
    totals.get(relation, equals(0));
    totals.begin(relation, equals(16));
    expect(relation.log.lists).toHaveLength(16);
    expect(totals.get(relation, equals(1))).toBeUndefined();
    expect(totals.get(relation, equals(0))).toBeDefined();
    expect(totals.get(relation, equals(16))).toBeDefined();
  });
});
