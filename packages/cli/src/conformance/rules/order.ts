import type { AttributeEntry } from '@proj/client';

import { demandProblem } from '../demand-problem.ts';
import { type Rule } from '../rule.ts';
import { demand, demandEqual, given, NotTried } from '../demand.ts';
import type { Subject } from '../subject.ts';
import { compareValues, isComparable } from '../value-order.ts';

/** How many records a walk reads at most. */
const LONGEST_WALK = 500;

const sortBy = (attribute: string, more: object = {}) => ({ query_sort: [{ attribute, ...more }] });

/** An attribute with the fewest distinct values: sorting by it leaves the most ties. */
async function tiedAttribute(subject: Subject): Promise<AttributeEntry> {
  const sortable = subject.attributes((attribute) => attribute.sortable);
  const counted = await Promise.all(
    sortable.map(async (entry) => ({ entry, distinct: (await subject.values(entry.name)).length })),
  );
  const [most] = counted.toSorted((a, b) => a.distinct - b.distinct);
  return given(most?.entry, 'no attribute is sortable');
}

function keyOf(subject: Subject): readonly string[] {
  const { key } = subject.entry;
  const visible =
    key.length > 0 && key.every((name) => subject.selection.attributes.includes(name));
  return given(visible ? key : undefined, 'the key is not among the attributes');
}

/** The keys of all records, or of the first, page by page. */
async function walkKeys(
  subject: Subject,
  more: object,
): Promise<{ keys: string[]; total: bigint }> {
  const key = keyOf(subject);
  const size = Math.min(25, subject.maximum);
  const first = await subject.read({ page: 1, size, more: { ...more } });
  const pages = Math.min(Math.ceil(Number(first.total) / size), LONGEST_WALK / size);
  const keys: string[] = [];
  for (let page = 1; page <= pages; page++) {
    const { result } = await subject.read({ page, size, more: { ...more } });
    keys.push(...result.map((record) => JSON.stringify(key.map((name) => record[name]))));
  }
  return { keys, total: first.total };
}

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

export const ORDER_RULES: readonly Rule[] = [
  {
    id: 'order-stable',
    sentence: 'The same request twice returns the same records in the same order.',
    section: 'the-reply',
    check: async (subject) => {
      const size = Math.min(50, subject.maximum);
      for (const more of [{}, sortBy((await tiedAttribute(subject)).name)]) {
        const [first, second] = [
          await subject.read({ page: 1, size, more }),
          await subject.read({ page: 1, size, more }),
        ];
        demandEqual(second.result, first.result, 'the second reply');
      }
    },
  },
  {
    id: 'order-total',
    sentence: 'The pages of a sorted list have every record once: the key breaks every tie.',
    section: 'the-reply',
    check: async (subject) => {
      const { name } = await tiedAttribute(subject);
      for (const more of [{}, sortBy(name), sortBy(name, { direction: 'desc' })]) {
        const { keys, total } = await walkKeys(subject, more);
        const distinct = new Set(keys).size;
        demand(
          distinct === keys.length,
          `sorted by ${JSON.stringify(more)}: ${keys.length} records have ${distinct} keys`,
        );
        const expected = Math.min(Number(total), LONGEST_WALK);
        demand(
          keys.length === expected,
          `sorted by ${JSON.stringify(more)}: expected ${expected} records; got ${keys.length}`,
        );
      }
    },
  },
  {
    id: 'order-default',
    sentence: "A request without query_sort is in the catalogue's default_sort.",
    section: 'the-reply',
    check: async (subject) => {
      const { default_sort: terms } = subject.entry;
      if (terms.length === 0 || terms.length > 5)
        throw new NotTried('the default order cannot be asked for');
      const size = Math.min(50, subject.maximum);
      const [given_, asked] = [
        await subject.read({ page: 1, size }),
        await subject.read({ page: 1, size, more: { query_sort: terms } }),
      ];
      demandEqual(given_.result, asked.result, 'the order without query_sort');
    },
  },
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
          const { result } = await subject.read({
            page: 1,
            size,
            more: sortBy(name, direction === undefined ? {} : { direction }),
          });
          const values = result
            .map((record) => record[name])
            .filter((value) => value !== null && value !== undefined);
          const ordered = values.toSorted(
            (a, b) => (direction === 'desc' ? -1 : 1) * compareValues(a, b, type),
          );
          demandEqual(values, ordered, `sorted by ${name} ${direction ?? 'without a direction'}`);
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
      const cases = [
        { more: {}, first: false },
        { more: { direction: 'desc' }, first: true },
        { more: { nulls: 'first' }, first: true },
        { more: { direction: 'desc', nulls: 'last' }, first: false },
      ];
      for (const { more, first } of cases) {
        const ends = [
          await subject.read({ page: 1, size: 1, more: sortBy(name, more) }),
          await subject.read({ page: total, size: 1, more: sortBy(name, more) }),
        ];
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
      const unknown = {
        of: 'an unknown attribute',
        code: 'unknown_attribute',
        pointer: '/query_sort/0/attribute',
      };
      demandProblem(await refused([{ attribute: 'no such attribute' }]), unknown);
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
