import { demandProblem } from '../demand-problem.ts';
import { type Rule } from '../rule.ts';
import { demand, given } from '../demand.ts';
import { membersOf } from '../json-object.ts';
import type { Subject } from '../subject.ts';

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

export const REQUEST_RULES: readonly Rule[] = [
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
  {
    id: 'missing-members',
    sentence: 'query_model, query_attributes, page, page.page and page.size are required.',
    section: 'the-query',
    check: async (subject) => {
      for (const member of ['query_model', 'query_attributes', 'page']) {
        const reply = await subject.query(subject.body({ [member]: undefined }));
        demandProblem(reply, {
          of: `a request without ${member}`,
          code: 'missing_member',
          pointer: `/${member}`,
        });
      }
      for (const [missing, page] of [
        ['page', { size: 1 }],
        ['size', { page: 1 }],
      ] as const) {
        const reply = await subject.query(subject.body({ page }));
        demandProblem(reply, {
          of: `a request without page.${missing}`,
          code: 'missing_member',
          pointer: `/page/${missing}`,
        });
      }
    },
  },
  {
    id: 'unknown-members',
    sentence:
      'Members that the contract does not name are refused, at every level, with their pointer.',
    section: 'the-query',
    check: async (subject) => {
      const attribute = subject.selection.attributes[0];
      const cases = [
        { more: { offset: 0 }, pointer: '/offset' },
        { more: { page: { page: 1, size: 1, offset: 0 } }, pointer: '/page/offset' },
        { more: { query_sort: [{ attribute, order: 'asc' }] }, pointer: '/query_sort/0/order' },
        {
          more: { query_filter: { attribute, op: 'is_null', value: true, negate: true } },
          pointer: '/query_filter/negate',
        },
        { more: { 'a/b~c': 0 }, pointer: '/a~1b~0c' },
      ];
      for (const { more, pointer } of cases) {
        demandProblem(await subject.query(subject.body(more)), {
          of: `a member ${pointer}`,
          code: 'unknown_member',
          pointer,
        });
      }
    },
  },
  {
    id: 'attributes-list',
    sentence: 'query_attributes names 1 to 200 distinct attributes.',
    section: 'the-query',
    check: async (subject) => {
      const [name = ''] = subject.selection.attributes;
      const asking = async (names: unknown) =>
        subject.query(subject.body({ query_attributes: names }));
      demandProblem(await asking([]), {
        of: 'no attributes',
        code: 'no_attributes',
        pointer: '/query_attributes',
      });
      demandProblem(await asking([name, name]), {
        of: 'an attribute twice',
        code: 'duplicate_attribute',
        pointer: '/query_attributes/1',
      });
      const many = Array.from({ length: 201 }, (_, index) => `a${index}`);
      demandProblem(await asking(many), {
        of: '201 attributes',
        code: 'too_many_attributes',
        pointer: '/query_attributes',
      });
      demandProblem(await asking(name), {
        of: 'a string for the list',
        code: 'invalid_type',
        pointer: '/query_attributes',
      });
    },
  },
  {
    id: 'unknown-model',
    sentence: 'A model that does not exist is refused with 400, not 404.',
    section: 'the-query',
    check: async (subject) => {
      const reply = await subject.query(subject.body({ query_model: 'no such model' }));
      demandProblem(reply, {
        of: 'an unknown model',
        code: 'unknown_model',
        pointer: '/query_model',
      });
    },
  },
  {
    id: 'unknown-attribute',
    sentence: 'Every attribute that does not exist is listed with its pointer.',
    section: 'the-query',
    check: async (subject) => {
      const [name = ''] = subject.selection.attributes;
      const reply = await subject.query(
        subject.body({ query_attributes: ['no such one', name, 'nor this one'] }),
      );
      for (const index of [0, 2]) {
        demandProblem(reply, {
          of: 'unknown attributes',
          code: 'unknown_attribute',
          pointer: `/query_attributes/${index}`,
        });
      }
    },
  },
  {
    id: 'hidden-names',
    sentence:
      'A model or an attribute that the token may not see is answered as one that does not exist.',
    section: 'the-query',
    check: async (subject) => {
      const { hiddenModel, hiddenAttribute } = subject.selection;
      given(
        hiddenModel ?? hiddenAttribute,
        'name something hidden with --hidden-model or --hidden-attribute',
      );
      if (hiddenModel !== undefined)
        await answersAlike(subject, hiddenModel, (name) => ({ query_model: name }));
      if (hiddenAttribute !== undefined)
        await answersAlike(subject, hiddenAttribute, (name) => ({ query_attributes: [name] }));
    },
  },
  {
    id: 'all-errors',
    sentence: 'A request with several errors is answered with all of them.',
    section: 'problems',
    check: async (subject) => {
      const reply = await subject.query(
        subject.body({
          query_attributes: ['no such one'],
          page: { page: 0, size: '1' },
          offset: 0,
        }),
      );
      const errors: unknown = membersOf(reply.json)['errors'];
      const pointers = Array.isArray(errors)
        ? errors.map((error) => membersOf(error)['pointer'])
        : [];
      for (const pointer of ['/query_attributes/0', '/page/page', '/page/size', '/offset']) {
        demand(
          pointers.includes(pointer),
          `expected an error at ${pointer}; got ${JSON.stringify(pointers)}`,
        );
      }
    },
  },
];

/** The two replies may differ in the name itself, in the request id, and in nothing else. */
async function answersAlike(
  subject: Subject,
  hidden: string,
  request: (name: string) => object,
): Promise<void> {
  const absent = `${hidden.slice(0, -1)}${hidden.endsWith('x') ? 'y' : 'x'}`;
  const [one, other] = [
    await subject.query(subject.body({ ...request(hidden) })),
    await subject.query(subject.body({ ...request(absent) })),
  ];
  demand(
    one.status === other.status,
    `${hidden}: expected status ${other.status} as for ${absent}; got ${one.status}`,
  );
  const [seen, expected] = [neutral(one.text, hidden), neutral(other.text, absent)];
  demand(
    seen === expected,
    `${hidden}: expected the reply that ${absent} gets, ${expected.slice(0, 200)}; got ` +
      seen.slice(0, 200),
  );
}

function neutral(text: string, name: string): string {
  return text
    .replaceAll(name, '<name>')
    .replace(/"request_id":"[^"]*"/, '"request_id":""')
    .replace(/Did you mean[^?]*\?|,"did_you_mean":"[^"]*"/g, '');
}
