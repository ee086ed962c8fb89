import { checkPages } from '../../subject/check-pages.ts';
import { type Rule } from '../../rule.ts';
import { demand, demandEqual } from '../../demand.ts';

const NUMBER_TEXT = /^(?:0|[1-9][0-9]*)$/;

/** What a reply says of its page. */
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
];
