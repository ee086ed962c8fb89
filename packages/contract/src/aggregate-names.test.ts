import { expect, it } from 'vitest';

import { memberNames, nameAggregates } from './aggregate-names.ts';
import type { AggregateOp } from './aggregates.ts';

const namesOf = (
  ...terms: (readonly [op: AggregateOp, attribute?: string | undefined])[]
): string[] => [...nameAggregates(terms.map(([op, attribute]) => ({ op, attribute }))).keys()];

it.each([
  ['count', undefined, 'count'],
  ['count', 'note', 'count_note'],
  ['sum', 'amount', 'sum_amount'],
  ['count_distinct', 'customer.näme', 'distinct_customer_näme'],
  ['max', 'x'.repeat(90), `max_${'x'.repeat(59)}`],
  ['max', '𐐨'.repeat(90), `max_${'𐐨'.repeat(59)}`],
] as const)('the %s of %s is named %s and so on', (op, of, name) => {
  expect(namesOf([op, of])).toEqual([name]);
});

it('aggregates of an equal name are told apart by a number, and all are there', () => {
  const terms = ['customer_id', 'customer.id', 'customer id'].map(
    (attribute) => ({ op: 'count_distinct', attribute }) as const,
  );
  expect([...nameAggregates(terms)]).toEqual([
    ['distinct_customer_id', terms[0]],
    ['distinct_customer_id_2', terms[1]],
    ['distinct_customer_id_3', terms[2]],
  ]);
});

it('names of aggregates that are cut to 63 characters differ within these', () => {
  const long = 'x'.repeat(90);
  const names = namesOf(...Array.from({ length: 10 }, (_, at) => ['sum', `${long}${at}`] as const));
  expect(new Set(names).size).toBe(10);
  expect(names.slice(0, 2)).toEqual([`sum_${'x'.repeat(59)}`, `sum_${'x'.repeat(57)}_2`]);
  expect(names[9]).toBe(`sum_${'x'.repeat(56)}_10`);
});

it('a numbered name is not that of another aggregate', () => {
  expect(namesOf(['sum', 'a.2'], ['sum', 'a'], ['sum', 'a_2'])).toEqual([
    'sum_a_2',
    'sum_a',
    'sum_a_2_2',
  ]);
});

it('an aggregate that is asked for twice is computed once', () => {
  expect(namesOf(['count'], ['sum', 'a'], ['count'], ['sum', 'a'])).toEqual(['count', 'sum_a']);
});

it('aggregates do not have the names of group attributes', () => {
  const by = ['count', { attribute: 'sum_a' }] as const;
  const terms = [{ op: 'count' }, { op: 'sum', attribute: 'a' }] as const;
  expect([...nameAggregates(terms, by).keys()]).toEqual(['count_2', 'sum_a_2']);
});

it('a computed member whose text begins with a digit has a name that does not', () => {
  expect(memberNames([])('2 odd.names')).toBe('_2_odd_names');
});

it('many aggregates of one name are named in a time that grows with their number', () => {
  // Compared with each other, these would take minutes.
  const terms = Array.from({ length: 200_000 }, (_, at) => {
    const attribute = String.fromCodePoint(0x2190 + (at % 400), 0x2190 + Math.floor(at / 400));
    return { op: 'sum', attribute } as const;
  });
  expect([...nameAggregates(terms).keys()].at(-1)).toBe('sum____200000');
});
