import { demandEqual } from '../../demand.ts';
import { rulesOf } from '../../rule.ts';
import type { JsonObject } from '../../subject/json.ts';
import type { Subject } from '../../subject/subject.ts';

const WRONG_TOTALS: readonly (readonly [asked: unknown, pointer: string])[] = [
  ['all', '/query_total'],
  [null, '/query_total'],
  [{}, '/query_total'],
  [{ up_to: 0 }, '/query_total/up_to'],
  [{ up_to: 1.5 }, '/query_total/up_to'],
  [{ up_to: '10' }, '/query_total/up_to'],
];

/** What a reply has to say of its page where less than the whole total is asked for. */
function expectedPage(page: JsonObject, total: bigint, limit: number | 'none'): JsonObject {
  const isShown = limit !== 'none' && total <= BigInt(limit);
  const isMore = limit !== 'none' && !isShown;
  return {
    ...page,
    total: isShown ? String(total) : null,
    ...(isMore && { total_at_least: String(limit + 1) }),
  };
}

/** Pages at the beginning, around the end and past it. */
function pagesOf(total: bigint, size: number): number[] {
  const last = Math.max(1, Math.ceil(Number(total) / size));
  return [...new Set([1, Math.max(1, last - 1), last, last + 1])];
}

async function checkTotals(subject: Subject, limits: readonly (number | 'none')[]): Promise<void> {
  const total = await subject.count();
  for (const size of [1, 7]) {
    for (const page of pagesOf(total, size)) {
      const exact = await subject.read({ page, size });
      for (const limit of limits) {
        const query_total = limit === 'none' ? limit : { up_to: limit };
        const read = await subject.readUncounted({ page, size, more: { query_total } });
        const what = `page ${page} of size ${size} with ${JSON.stringify({ query_total })}`;
        demandEqual(read.result, exact.result, `${what}: records`);
        const expected = expectedPage(exact.page, exact.total, limit);
        for (const name of new Set([...Object.keys(expected), ...Object.keys(read.page)]))
          demandEqual(read.page[name], expected[name], `${what}: page.${name}`);
      }
    }
  }
}

/** What a reply is that was asked for less than the whole total. */
export const TOTAL_RULES = rulesOf('lists-too-long-to-count', {
  'total-none': {
    sentence:
      'With query_total none, page.total is null, and records and has_next are those of the ' +
      'same query without it.',
    check: (subject) => checkTotals(subject, ['none']),
  },
  'total-up-to': {
    sentence:
      'With query_total up_to N, page.total is the total up to N, and else null beside ' +
      'total_at_least, N + 1; records and has_next are those of the same query without it.',
    check: async (subject) => {
      const total = Number(await subject.count());
      const around = [1, total - 1, total, total + 1].filter((limit) => limit >= 1);
      await checkTotals(subject, [...new Set(around)]);
    },
  },
  'total-errors': {
    sentence: 'Any other query_total is refused with invalid_query_total.',
    check: async (subject) => {
      for (const [query_total, pointer] of WRONG_TOTALS)
        await subject.refuses({ query_total }, 'invalid_query_total', pointer);
      const { status } = await subject.query(subject.body({ query_total: 'exact' }));
      demandEqual(status, 200, 'the status for "exact"');
    },
  },
});
