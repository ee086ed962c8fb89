import { checkPages } from '../../subject/check-pages.ts';
import { type Rule } from '../../rule.ts';
import { demand, demandEqual, given, NotTried } from '../../demand.ts';

/** Which records are on which page, up to the last one and past it. */
export const PAGE_RULES: readonly Rule[] = [
  {
    id: 'result-length',
    sentence: 'result has clamp(total − offset, 0, size) records.',
    section: 'the-reply',
    check: async (subject) =>
      checkPages(subject, ({ result, total }, { page, size }) => {
        const rest = total - BigInt(page - 1) * BigInt(size);
        const expected = rest < 0n ? 0n : rest < BigInt(size) ? rest : BigInt(size);
        demand(
          BigInt(result.length) === expected,
          `page ${page} of size ${size}, total ${total}: expected ${expected} records; got ` +
            result.length,
        );
      }),
  },
  {
    id: 'offset',
    sentence: 'Page p of size s has the records from (p − 1) × s + 1 on.',
    section: 'the-reply',
    check: async (subject) => {
      const size = Math.min(6, subject.maximum);
      const whole = await subject.read({ page: 1, size });
      if (whole.result.length < 2) throw new NotTried('the model has fewer than two records');
      const ones = await Promise.all(
        whole.result.map((_record, index) => subject.read({ page: index + 1, size: 1 })),
      );
      demandEqual(
        ones.flatMap(({ result }) => result),
        whole.result,
        `pages 1 to ${whole.result.length} of size 1 against page 1 of size ${size}`,
      );
    },
  },
  {
    id: 'page-count',
    sentence:
      'The number of pages is ceil(total / size): the last one holds something, and nothing ' +
      'follows it.',
    section: 'the-reply',
    check: async (subject) => {
      const total = await subject.count();
      if (total === 0n) throw new NotTried('the model has no records');
      const size = Math.min(7, subject.maximum);
      const pages = Math.ceil(Number(total) / size);
      const last = await subject.read({ page: pages, size });
      demand(last.result.length > 0, `page ${pages} of ${pages}: expected records; got none`);
      const next = await subject.read({ page: pages + 1, size });
      demand(
        next.result.length === 0,
        `page ${pages + 1} of ${pages}: expected no records; got ${next.result.length}`,
      );
    },
  },
  {
    id: 'past-the-end',
    sentence: 'A page past the end answers 200 with an empty result and the real total.',
    section: 'the-reply',
    check: async (subject) => {
      const total = await subject.count();
      const beyond = await subject.read({ page: Number(total) + 1000, size: 1 });
      demand(beyond.result.length === 0, `expected no records; got ${beyond.result.length}`);
      demand(beyond.total === total, `expected the total ${total}; got ${beyond.total}`);
    },
  },
  {
    id: 'far-past-the-end',
    sentence:
      'Page 2^53 − 1 of the largest size is legal, although its offset passes 2^63 where ' +
      'sizes are large.',
    section: 'the-query',
    check: async (subject) => {
      const total = await subject.count();
      const beyond = await subject.read({ page: Number.MAX_SAFE_INTEGER, size: subject.maximum });
      demand(beyond.result.length === 0, `expected no records; got ${beyond.result.length}`);
      demand(beyond.total === total, `expected the total ${total}; got ${beyond.total}`);
      demand(
        String(beyond.page['page']) === '9007199254740991',
        `expected page 9007199254740991; got ${JSON.stringify(beyond.page['page'])}`,
      );
    },
  },
  {
    id: 'size-maximum',
    sentence: "A page of the catalogue's max_page_size is answered.",
    section: 'the-query',
    check: async (subject) => {
      given(subject.selection.entry, 'the server has no catalogue that names the model');
      await subject.read({ page: 1, size: subject.maximum });
    },
  },
];
