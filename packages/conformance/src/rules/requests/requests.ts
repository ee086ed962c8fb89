import { demandProblem } from '../../demand-problem.ts';
import { type Rule } from '../../rule.ts';
import { demand } from '../../demand.ts';
import { membersOf } from '../../subject/json-object.ts';

/** The members of a request, and the names in it. */
export const REQUEST_RULES: readonly Rule[] = [
  {
    id: 'missing-members',
    sentence: 'query_model, query_attributes, page, page.page and page.size are required.',
    section: 'the-query',
    check: async (subject) => {
      const cases = [
        { more: { query_model: undefined }, pointer: '/query_model' },
        { more: { query_attributes: undefined }, pointer: '/query_attributes' },
        { more: { page: undefined }, pointer: '/page' },
        { more: { page: { size: 1 } }, pointer: '/page/page' },
        { more: { page: { page: 1 } }, pointer: '/page/size' },
      ];
      for (const { more, pointer } of cases) {
        const reply = await subject.query(subject.body(more));
        demandProblem(reply, {
          of: `a request without ${pointer}`,
          code: 'missing_member',
          pointer,
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
      const many = Array.from({ length: 201 }, (_, index) => `a${index}`);
      const cases = [
        { of: 'no attributes', names: [], code: 'no_attributes' },
        { of: 'an attribute twice', names: [name, name], code: 'duplicate_attribute', at: '/1' },
        { of: '201 attributes', names: many, code: 'too_many_attributes' },
        { of: 'a string for the list', names: name, code: 'invalid_type' },
      ];
      for (const { of, names, code, at = '' } of cases) {
        const reply = await subject.query(subject.body({ query_attributes: names }));
        demandProblem(reply, { of, code, pointer: `/query_attributes${at}` });
      }
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
