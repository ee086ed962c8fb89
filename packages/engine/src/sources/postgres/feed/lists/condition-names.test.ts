import { isDeepStrictEqual } from 'node:util';

import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import type { Attribute } from '../../../../catalogue/model.ts';
import type { Comparison, Condition } from '../../../../planning/condition.ts';
import { ConditionNames } from './condition-names.ts';

/** What a condition says. */
type Meaning =
  | { readonly and: readonly Meaning[] }
  | { readonly or: readonly Meaning[] }
  | { readonly not: Meaning }
  | (Pick<Comparison, 'op' | 'values'> & { readonly column: string; readonly type: string });

const { meaning: MEANING } = fc.letrec<{ meaning: Meaning }>((tie) => {
  const parts = fc.array(tie('meaning'), { maxLength: 2 });
  const values = fc.constantFrom(7n, 7, '7', true, 'true', null, 'null');
  const comparison = fc.tuple(
    fc.constantFrom('low', 'high'),
    fc.constantFrom('integer', 'bigint'),
    fc.constantFrom('eq' as const, 'in' as const),
    fc.array(values, { maxLength: 2 }),
  );
  return {
    meaning: fc.oneof(
      { depthSize: 'small' },
      comparison.map(([column, type, op, each]) => ({ column, type, op, values: each })),
      parts.map((and) => ({ and })),
      parts.map((or) => ({ or })),
      tie('meaning').map((not) => ({ not })),
    ),
  };
});

/** A condition of its own, whose attributes have this name on the wire. */
function conditionOf(meaning: Meaning, name: string): Condition {
  if ('and' in meaning) return { and: meaning.and.map((part) => conditionOf(part, name)) };
  if ('or' in meaning) return { or: meaning.or.map((part) => conditionOf(part, name)) };
  if ('not' in meaning) return { not: conditionOf(meaning.not, name) };
  const { column, type, op, values } = meaning;
  return { attribute: { name, column, databaseType: type } as Attribute, op, values };
}

it('conditions have the same name if and only if they say the same of the same columns', () => {
  const names = new ConditionNames();
  const pair = fc
    .tuple(MEANING, MEANING)
    .chain(([one, other]) => fc.constantFrom([one, one], [one, other]));
  fc.assert(
    fc.property(pair, ([one, other]) => {
      if (one === undefined || other === undefined) return;
      const [first, second] = [conditionOf(one, 'a'), conditionOf(other, 'b')];
      expect(names.of(first) === names.of(second)).toBe(isDeepStrictEqual(one, other));
    }),
    { numRuns: 1000 },
  );
});

it('the name of a condition is short, however long the condition is, and is made once', () => {
  const names = new ConditionNames();
  let looks = 0;
  const parts = Array.from({ length: 500 }, () => ({ and: [] }));
  const condition = {
    get or() {
      looks += 1;
      return parts;
    },
  };
  const name = names.of(condition);
  expect([name.length, looks]).toEqual([43, 1]);
  expect([names.of(condition), looks]).toEqual([name, 1]);
});
