import { type Rule } from '../rule.ts';
import { demand, demandEqual, given, NotTried, Violation } from '../demand.ts';
import type { ReadPage, Subject } from '../subject.ts';

const NUMBER_TEXT = /^(?:0|[1-9][0-9]*)$/;

interface TriedPage {
  readonly page: number;
  readonly size: number;
  readonly beyond: boolean;
}

/**
 * First pages, middle ones, the last one and those past it, in sizes that do not divide each other.
 */
async function pagesToTry(subject: Subject): Promise<TriedPage[]> {
  const total = Number(await subject.count());
  return [1, 3, 7].flatMap((size) => {
    const last = Math.max(1, Math.ceil(total / size));
    const pages = [...new Set([1, 2, Math.ceil(last / 2), last, last + 1, last + 1000])];
    return pages.map((page) => ({ page, size, beyond: page > last }));
  });
}

/** That pages past the end are answered at all is a rule of its own. */
async function checkPages(
  subject: Subject,
  check: (read: ReadPage, at: TriedPage) => void,
): Promise<void> {
  for (const at of await pagesToTry(subject)) {
    const read = await subject.read(at).catch((error: unknown) => {
      if (at.beyond && error instanceof Violation) return undefined;
      throw error;
    });
    if (read !== undefined) check(read, at);
  }
}

export const METADATA_RULES: readonly Rule[] = [
  {
    id: 'reply-members',
    sentence:
      'A reply has the members result and page and no others; page has page, size, total and ' +
      'has_next and no others.',
    section: 'the-reply',
    check: async (subject) => {
      const { reply, page } = await subject.read({ page: 1, size: 1 });
      demandEqual(
        Object.keys(Object(reply.json)).toSorted(),
        ['page', 'result'],
        'members of the reply',
      );
      demandEqual(
        Object.keys(page).toSorted(),
        ['has_next', 'page', 'size', 'total'],
        'members of page',
      );
    },
  },
  {
    id: 'metadata-strings',
    sentence:
      'page, size and total are strings of decimal digits without leading zeros; has_next is ' +
      'a boolean.',
    section: 'the-reply',
    check: async (subject) =>
      checkPages(subject, ({ page }) => {
        for (const name of ['page', 'size', 'total']) {
          const value = page[name];
          demand(
            typeof value === 'string' && NUMBER_TEXT.test(value),
            `page.${name}: expected digits in quotes; got ${JSON.stringify(value)}`,
          );
        }
        demand(
          typeof page['has_next'] === 'boolean',
          `page.has_next: expected a boolean; got ${JSON.stringify(page['has_next'])}`,
        );
      }),
  },
  {
    id: 'metadata-echo',
    sentence: 'page.page and page.size repeat the requested values.',
    section: 'the-reply',
    check: async (subject) =>
      checkPages(subject, ({ page: metadata }, { page, size }) => {
        demand(
          String(metadata['page']) === String(page),
          `page.page: expected ${page}; got ${JSON.stringify(metadata['page'])}`,
        );
        demand(
          String(metadata['size']) === String(size),
          `page.size: expected ${size}; got ${JSON.stringify(metadata['size'])}`,
        );
      }),
  },
  {
    id: 'has-next',
    sentence: 'has_next is true exactly when page × size < total.',
    section: 'the-reply',
    check: async (subject) =>
      checkPages(subject, ({ page: metadata, total }, { page, size }) => {
        const expected = BigInt(page) * BigInt(size) < total;
        const got = metadata['has_next'];
        demand(
          !(got === !expected),
          `page ${page} of size ${size}, total ${total}: expected has_next ${expected}; got ` +
            JSON.stringify(got),
        );
      }),
  },
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
