import type { ProblemCode } from '@proj/contract';

import { demand, demandEqual, demandError, NotTried, Violation } from '../../demand.ts';
import { rulesOf } from '../../rule.ts';
import { errorsOf } from '../../subject/json.ts';
import type { Reply } from '../../subject/send.ts';
import type { ReadPage, Subject } from '../../subject/subject.ts';

const NUMBER_TEXT = /^(?:0|[1-9][0-9]*)$/;

/** A page that rules look at. */
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

/**
 * Reads many pages and checks each. That pages past the end are answered at all is a rule of its
 * own.
 */
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

/**
 * Sends texts of the page members as they are: 1.0 and 1 are the same number to everybody who
 * parses first.
 */
async function withPageMembers(
  subject: Subject,
  texts: readonly string[],
  check: (reply: Reply, member: string, text: string) => void,
): Promise<void> {
  const body = JSON.stringify(subject.body({ page: null }));
  for (const [member, other] of [['page', 'size'] as const, ['size', 'page'] as const]) {
    for (const text of texts) {
      const page = `"page":{"${member}":${text},"${other}":1}`;
      check(await subject.query(body.replace('"page":null', page)), member, text);
    }
  }
}

async function refusesPageMembers(
  subject: Subject,
  texts: readonly string[],
  code: ProblemCode,
): Promise<void> {
  await withPageMembers(subject, texts, (reply, member, text) =>
    demandError(reply, `page.${member} ${text}`, { code, pointer: `/page/${member}` }),
  );
}

/** What a reply says of its page, and which records are on which, up to the last and past it. */
export const PAGE_RULES = [
  ...rulesOf('the-reply', {
    'reply-members': {
      sentence:
        'A reply has the members result and page and no others; page has page, size, total and ' +
        'has_next and no others.',
      check: async (subject) => {
        const { reply, page } = await subject.first(1);
        const members = Object.keys(Object(reply.json)).toSorted();
        demandEqual(members, ['page', 'result'], 'members of the reply');
        const names = Object.keys(page).toSorted();
        demandEqual(names, ['has_next', 'page', 'size', 'total'], 'members of page');
      },
    },
    'metadata-strings': {
      sentence:
        'page, size and total are strings of decimal digits without leading zeros; has_next is ' +
        'a boolean.',
      check: async (subject) =>
        checkPages(subject, ({ page }) => {
          for (const name of ['page', 'size', 'total']) {
            const value = page[name];
            demand(
              typeof value === 'string' && NUMBER_TEXT.test(value),
              `page.${name}: expected digits in quotes; got ${JSON.stringify(value)}`,
            );
          }
          const { has_next: hasNext } = page;
          demandEqual(hasNext, hasNext === true, 'page.has_next, as a boolean');
        }),
    },
    'metadata-echo': {
      sentence: 'page.page and page.size repeat the requested values.',
      check: async (subject) =>
        checkPages(subject, ({ page: metadata }, { page, size }) => {
          demandEqual(String(metadata['page']), String(page), 'page.page');
          demandEqual(String(metadata['size']), String(size), 'page.size');
        }),
    },
    'has-next': {
      sentence: 'has_next is true exactly when page × size < total.',
      check: async (subject) =>
        checkPages(subject, ({ page: metadata, total }, { page, size }) => {
          const got = metadata['has_next'];
          const expected = BigInt(page) * BigInt(size) < total;
          // What is no boolean breaks another rule.
          if (typeof got === 'boolean')
            demandEqual(got, expected, `page ${page} of size ${size}, total ${total}: has_next`);
        }),
    },
    'result-length': {
      sentence: 'result has clamp(total − offset, 0, size) records.',
      check: async (subject) =>
        checkPages(subject, ({ result, total }, { page, size }) => {
          const rest = Number(total) - (page - 1) * size;
          const expected = Math.min(Math.max(rest, 0), size);
          const what = `page ${page} of size ${size}, total ${total}: the number of records`;
          demandEqual(result.length, expected, what);
        }),
    },
    offset: {
      sentence: 'Page p of size s has the records from (p − 1) × s + 1 on.',
      check: async (subject) => {
        const whole = await subject.first(6);
        const { length } = whole.result;
        if (length < 2) throw new NotTried('the model has fewer than two records');
        const ones = await Promise.all(
          whole.result.map((_record, index) => subject.read({ page: index + 1, size: 1 })),
        );
        demandEqual(
          ones.flatMap(({ result }) => result),
          whole.result,
          `pages 1 to ${length} of size 1 against page 1 of a larger size`,
        );
      },
    },
    'page-count': {
      sentence:
        'The number of pages is ceil(total / size): the last one holds something, and nothing ' +
        'follows it.',
      check: async (subject) => {
        const total = await subject.count();
        if (total === 0n) throw new NotTried('the model has no records');
        const size = Math.min(7, subject.maximum);
        const pages = Math.ceil(Number(total) / size);
        const last = await subject.read({ page: pages, size });
        demand(last.result.length > 0, `page ${pages} of ${pages}: expected records; got none`);
        const next = await subject.read({ page: pages + 1, size });
        demandEqual(next.result, [], `records of page ${pages + 1} of ${pages}`);
      },
    },
    'past-the-end': {
      sentence: 'A page past the end answers 200 with an empty result and the real total.',
      check: async (subject) => {
        const total = await subject.count();
        const beyond = await subject.read({ page: Number(total) + 1000, size: 1 });
        demandEqual(beyond.result, [], 'the records');
        demandEqual(beyond.total, total, 'the total');
      },
    },
  }),
  ...rulesOf('the-query', {
    'far-past-the-end': {
      sentence:
        'Page 2^53 − 1 of the largest size is legal, although its offset passes 2^63 where ' +
        'sizes are large.',
      check: async (subject) => {
        const total = await subject.count();
        const beyond = await subject.read({ page: Number.MAX_SAFE_INTEGER, size: subject.maximum });
        demandEqual(beyond.result, [], 'the records');
        demandEqual(beyond.total, total, 'the total');
        demandEqual(String(beyond.page['page']), '9007199254740991', 'page.page');
      },
    },
    'size-maximum': {
      sentence: "A page of the catalogue's max_page_size is answered.",
      check: async (subject) => {
        await subject.read({ page: 1, size: subject.entry.max_page_size });
      },
    },
    'page-types': {
      sentence:
        'page.page and page.size are JSON numbers without a fraction: strings, 1.5, null, ' +
        'booleans and lists are refused.',
      check: async (subject) =>
        refusesPageMembers(subject, ['"1"', '1.5', 'null', 'true', '[1]'], 'invalid_type'),
    },
    'page-range': {
      sentence: 'page.page and page.size are from 1 to 2^53 − 1: 0, −1 and 2^53 are refused.',
      check: async (subject) =>
        refusesPageMembers(subject, ['0', '-1', '9007199254740992'], 'out_of_range'),
    },
    'page-integers': {
      sentence: '1.0 and 1e0 are the whole number 1 in JSON and are accepted.',
      check: async (subject) =>
        withPageMembers(subject, ['1.0', '1e0'], ({ status }, member, text) =>
          demandEqual(status, 200, `page.${member} ${text}: the status`),
        ),
    },
    'size-too-large': {
      sentence: 'A size above the maximum is refused with the maximum, never cut.',
      check: async (subject) => {
        const { max_page_size: maximum } = subject.entry;
        const reply = await subject.query(subject.body({ page: { page: 1, size: maximum + 1 } }));
        demandError(reply, `size ${maximum + 1}`, {
          code: 'size_too_large',
          pointer: '/page/size',
        });
        const limits = errorsOf(reply.json).map((error) => error['maximum']);
        demand(limits.includes(maximum), `expected an error that carries the maximum ${maximum}`);
      },
    },
  }),
];
