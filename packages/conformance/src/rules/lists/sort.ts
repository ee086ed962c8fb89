import { demandProblem } from '../../demand-problem.ts';
import { type Rule } from '../../rule.ts';
import { demandEqual, NotTried } from '../../demand.ts';
import { sortBy, tiedAttribute } from '../../subject/sorting.ts';
import type { Subject } from '../../subject/subject.ts';
import { compareValues, isComparable } from '../../subject/value-order.ts';

async function nullsOf(subject: Subject): Promise<{ name: string; total: number }> {
  for (const { name } of subject.attributes(
    ({ nullable, sortable, operators }) => nullable && sortable && operators.includes('is_null'),
  )) {
    const [nulls, total] = [
      await subject.count({ attribute: name, op: 'is_null' }),
      await subject.count(),
    ];
    if (nulls > 0n && nulls < total) return { name, total: Number(total) };
  }
  throw new NotTried('no sortable attribute holds both NULL and values');
}

/** Where NULL belongs under the terms of a sort. */
const NULL_PLACES = [
  { more: {}, first: false },
  { more: { direction: 'desc' }, first: true },
  { more: { nulls: 'first' }, first: true },
  { more: { direction: 'desc', nulls: 'last' }, first: false },
];

/** What `query_sort` asks for. */
export const SORT_RULES: readonly Rule[] = [
  {
    id: 'sort-direction',
    sentence: 'asc, which is the default, sorts the smallest first; desc the largest.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const attributes = subject.attributes(({ sortable, type }) => sortable && isComparable(type));
      if (attributes.length === 0)
        throw new NotTried('no attribute of a number or a date is sortable');
      const size = Math.min(100, subject.maximum);
      for (const { name, type } of attributes) {
        for (const direction of [undefined, 'asc', 'desc']) {
          const more = sortBy(name, direction === undefined ? {} : { direction });
          const { result } = await subject.read({ page: 1, size, more });
          const values = result
            .map((record) => record[name])
            .filter((value) => value !== null && value !== undefined);
          const rising = values.toSorted((a, b) => compareValues(a, b, type));
          const expected = direction === 'desc' ? rising.toReversed() : rising;
          demandEqual(values, expected, `sorted by ${name} ${direction ?? 'without a direction'}`);
        }
      }
    },
  },
  {
    id: 'sort-nulls',
    sentence: 'NULL counts as the largest value unless nulls says otherwise.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const { name, total } = await nullsOf(subject);
      for (const { more, first } of NULL_PLACES) {
        const order = sortBy(name, more);
        const ends = await Promise.all(
          [1, total].map((page) => subject.read({ page, size: 1, more: order })),
        );
        const nullAt = ends.map(({ result }) => (result[0]?.[name] ?? null) === null);
        demandEqual(
          nullAt,
          [first, !first],
          `sorted by ${name} ${JSON.stringify(more)}, whether NULL is first and last`,
        );
      }
    },
  },
  {
    id: 'sort-errors',
    sentence: 'Sorting by an unknown attribute, by one twice, or by more than five is refused.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const { name } = await tiedAttribute(subject);
      const refused = async (terms: readonly object[]) =>
        subject.query(subject.body({ query_sort: terms }));
      demandProblem(await refused([{ attribute: 'no such attribute' }]), {
        of: 'an unknown attribute',
        code: 'unknown_attribute',
        pointer: '/query_sort/0/attribute',
      });
      demandProblem(await refused([{ attribute: name }, { attribute: name }]), {
        of: 'an attribute twice',
        code: 'duplicate_attribute',
      });
      const six = Array.from({ length: 6 }, (_, index) => ({ attribute: `${name}${index}` }));
      demandProblem(await refused(six), { of: 'six attributes', code: 'too_many_sort_terms' });
      demandProblem(await refused([{ attribute: name, direction: 'up' }]), {
        of: 'direction "up"',
        code: 'invalid_value',
      });
    },
  },
];
