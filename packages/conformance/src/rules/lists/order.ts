import { type Rule } from '../../rule.ts';
import { demand, demandEqual, given, NotTried } from '../../demand.ts';
import { sortBy, tiedAttribute } from '../../subject/sorting.ts';
import type { Subject } from '../../subject/subject.ts';

/** How many records a walk reads at most. */
const LONGEST_WALK = 500;

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

/** That a list has one order, whatever it is. */
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
      const asked = await subject.read({ page: 1, size, more: { query_sort: terms } });
      // Twice: where ties are not broken, one of two may be in order by chance.
      for (let reads = 0; reads < 2; reads++) {
        const { result } = await subject.read({ page: 1, size });
        demandEqual(result, asked.result, 'the order without query_sort');
      }
    },
  },
];
