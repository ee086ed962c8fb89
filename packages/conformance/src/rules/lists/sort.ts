import { demandEqual, given, NotTried } from '../../demand.ts';
import { rulesOf } from '../../rule.ts';
import type { JsonObject } from '../../subject/json.ts';
import { inOrder, sortBy, tiedAttribute } from '../../subject/occasion.ts';
import type { Subject } from '../../subject/subject.ts';

/** How many records a walk reads at most. */
const LONGEST_WALK = 500;

/** The keys of all records, or of the first, page by page. */
async function walkKeys(
  subject: Subject,
  more: JsonObject,
): Promise<{ keys: string[]; total: bigint }> {
  const key = subject.visibleKey();
  const size = Math.min(25, subject.maximum);
  const { total } = await subject.read({ page: 1, size, more });
  const pages = Math.min(Math.ceil(Number(total) / size), LONGEST_WALK / size);
  const keys: string[] = [];
  for (let page = 1; page <= pages; page++) {
    const { result } = await subject.read({ page, size, more });
    keys.push(...result.map((record) => JSON.stringify(key.map((name) => record[name]))));
  }
  return { keys, total };
}

/** Types whose order is the same everywhere; that of texts is the database's own. */
const NUMERIC = new Set(['int32', 'int64', 'decimal']);
const CHRONOLOGICAL = new Set(['date', 'timestamp', 'timestamp_tz']);

/** Which of two values of a comparable type comes first. Dates of one form compare as texts. */
function compareValues(a: unknown, b: unknown, type: string): number {
  const [left, right] = [String(a), String(b)];
  if (!NUMERIC.has(type)) return left < right ? -1 : Number(left > right);
  const places = Math.max(decimals(left), decimals(right));
  const difference = scaled(left, places) - scaled(right, places);
  return difference < 0n ? -1 : Number(difference > 0n);
}

function decimals(text: string): number {
  return /\.(\d*)$/.exec(text)?.[1]?.length ?? 0;
}

/** `-1.5` with two places is −150n. What is no plain decimal counts as 0. */
function scaled(text: string, places: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  const digits = whole + fraction.padEnd(places, '0');
  return /^-?\d+$/.test(digits) ? BigInt(digits) : 0n;
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

/** Where NULL belongs under the terms of a sort. */
const NULL_PLACES = [
  { more: {}, first: false },
  { more: { direction: 'desc' }, first: true },
  { more: { nulls: 'first' }, first: true },
  { more: { direction: 'desc', nulls: 'last' }, first: false },
];

/** That a list has one order, and which `query_sort` asks for. */
export const SORT_RULES = [
  ...rulesOf('the-reply', {
    'order-stable': {
      sentence: 'The same request twice returns the same records in the same order.',
      check: async (subject) => {
        for (const more of [{}, sortBy((await tiedAttribute(subject)).name)]) {
          const [first, second] = [await subject.first(50, more), await subject.first(50, more)];
          demandEqual(second.result, first.result, 'the second reply');
        }
      },
    },
    'order-total': {
      sentence: 'The pages of a sorted list have every record once: the key breaks every tie.',
      check: async (subject) => {
        const { name } = await tiedAttribute(subject);
        for (const more of [{}, sortBy(name), sortBy(name, { direction: 'desc' })]) {
          const { keys, total } = await walkKeys(subject, more);
          const what = `sorted by ${JSON.stringify(more)}: the number of`;
          demandEqual(new Set(keys).size, keys.length, `${what} different keys`);
          demandEqual(keys.length, Math.min(Number(total), LONGEST_WALK), `${what} records`);
        }
      },
    },
    'order-default': {
      sentence: "A request without query_sort is in the catalogue's default_sort.",
      check: async (subject) => {
        const { default_sort: terms } = subject.entry;
        if (terms.length === 0 || terms.length > 5)
          throw new NotTried('the default order cannot be asked for');
        const asked = await subject.first(50, { query_sort: terms });
        // Twice: where ties are not broken, one of two may be in order by chance.
        for (let reads = 0; reads < 2; reads++) {
          const { result } = await subject.first(50);
          demandEqual(result, asked.result, 'the order without query_sort');
        }
      },
    },
  }),
  ...rulesOf('filters-and-sorting', {
    'sort-direction': {
      sentence: 'asc, which is the default, sorts the smallest first; desc the largest.',
      check: async (subject) => {
        const attributes = subject.attributes(
          ({ sortable, type }) => sortable && (NUMERIC.has(type) || CHRONOLOGICAL.has(type)),
        );
        given(attributes[0], 'no attribute of a number or a date is sortable');
        for (const { name, type } of attributes) {
          for (const direction of [undefined, 'asc', 'desc']) {
            const more = sortBy(name, direction === undefined ? {} : { direction });
            const { result } = await subject.first(100, more);
            const values = result
              .map((record) => record[name])
              .filter((value) => value !== null && value !== undefined);
            const wanted = inOrder(values, direction, (a, b) => compareValues(a, b, type));
            demandEqual(values, wanted, `sorted by ${name} ${direction ?? 'without a direction'}`);
          }
        }
      },
    },
    'sort-nulls': {
      sentence: 'NULL counts as the largest value unless nulls says otherwise.',
      check: async (subject) => {
        const { name, total } = await nullsOf(subject);
        for (const { more, first } of NULL_PLACES) {
          const order = sortBy(name, more);
          const ends = await Promise.all(
            [1, total].map((page) => subject.read({ page, size: 1, more: order })),
          );
          const nullAt = ends.map(({ result }) => (result[0]?.[name] ?? null) === null);
          const what = `sorted by ${name} ${JSON.stringify(more)}, whether NULL is first and last`;
          demandEqual(nullAt, [first, !first], what);
        }
      },
    },
    'sort-errors': {
      sentence: 'Sorting by an unknown attribute, by one twice, or by more than five is refused.',
      check: async (subject) => {
        const { name: attribute } = await tiedAttribute(subject);
        const six = Array.from({ length: 6 }, (_, index) => ({
          attribute: `${attribute}${index}`,
        }));
        const cases = [
          [[{ attribute: 'no such attribute' }], 'unknown_attribute', '/query_sort/0/attribute'],
          [[{ attribute }, { attribute }], 'duplicate_attribute'],
          [six, 'too_many_sort_terms'],
          [[{ attribute, direction: 'up' }], 'invalid_value'],
        ] as const;
        for (const [query_sort, code, pointer] of cases)
          await subject.refuses({ query_sort }, code, pointer);
      },
    },
  }),
];
