import { demandProblem } from '../../demand-problem.ts';
import { type Rule } from '../../rule.ts';
import { demand } from '../../demand.ts';
import { membersOf } from '../../subject/json-object.ts';
import type { Subject } from '../../subject/subject.ts';

/**
 * Sends the text of one page member as it is: 1.0 and 1 are the same number to everybody who parses
 * first.
 */
async function withPageMember(subject: Subject, member: 'page' | 'size', text: string) {
  const other = member === 'page' ? 'size' : 'page';
  const body = JSON.stringify(subject.body({ page: null })).replace(
    '"page":null',
    `"page":{"${member}":${text},"${other}":1}`,
  );
  return subject.query(body);
}

async function refusesPageMembers(
  subject: Subject,
  texts: readonly string[],
  code: string,
): Promise<void> {
  for (const member of ['page', 'size'] as const) {
    for (const text of texts) {
      const reply = await withPageMember(subject, member, text);
      demandProblem(reply, { of: `page.${member} ${text}`, code, pointer: `/page/${member}` });
    }
  }
}

/** What a request may say of the page that it wants. */
export const PAGE_NUMBER_RULES: readonly Rule[] = [
  {
    id: 'page-types',
    sentence:
      'page.page and page.size are JSON numbers without a fraction: strings, 1.5, null, ' +
      'booleans and lists are refused.',
    section: 'the-query',
    check: async (subject) =>
      refusesPageMembers(subject, ['"1"', '1.5', 'null', 'true', '[1]'], 'invalid_type'),
  },
  {
    id: 'page-range',
    sentence: 'page.page and page.size are from 1 to 2^53 − 1: 0, −1 and 2^53 are refused.',
    section: 'the-query',
    check: async (subject) =>
      refusesPageMembers(subject, ['0', '-1', '9007199254740992'], 'out_of_range'),
  },
  {
    id: 'page-integers',
    sentence: '1.0 and 1e0 are the whole number 1 in JSON and are accepted.',
    section: 'the-query',
    check: async (subject) => {
      for (const member of ['page', 'size'] as const) {
        for (const text of ['1.0', '1e0']) {
          const { status } = await withPageMember(subject, member, text);
          demand(status === 200, `page.${member} ${text}: expected status 200; got ${status}`);
        }
      }
    },
  },
  {
    id: 'size-too-large',
    sentence: 'A size above the maximum is refused with the maximum, never cut.',
    section: 'the-query',
    check: async (subject) => {
      const { maximum } = subject.entry && subject;
      const reply = await subject.query(subject.body({ page: { page: 1, size: maximum + 1 } }));
      demandProblem(reply, {
        of: `size ${maximum + 1}`,
        code: 'size_too_large',
        pointer: '/page/size',
      });
      const errors: unknown = membersOf(reply.json)['errors'];
      const named =
        Array.isArray(errors) && errors.some((error) => membersOf(error)['maximum'] === maximum);
      demand(
        named,
        `expected an error that carries the maximum ${maximum}; got ${JSON.stringify(errors)}`,
      );
    },
  },
];
