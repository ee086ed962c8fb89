import { demand, demandEqual, demandProblem, given } from '../../demand.ts';
import { rulesOf } from '../../rule.ts';
import { errorsOf } from '../../subject/json.ts';
import type { Subject } from '../../subject/subject.ts';

/** The two replies may differ in the name itself, in the request id, and in nothing else. */
async function answersAlike(subject: Subject, hidden: string, member: string): Promise<void> {
  const absent = `${hidden.slice(0, -1)}${hidden.endsWith('x') ? 'y' : 'x'}`;
  const read = async (name: string): Promise<readonly [status: number, text: string]> => {
    const value = member === 'query_model' ? name : [name];
    const { status, text } = await subject.query(subject.body({ [member]: value }));
    return [status, neutral(text, name)];
  };
  demandEqual(await read(hidden), await read(absent), `${hidden}: the reply that ${absent} gets`);
}

function neutral(text: string, name: string): string {
  return text
    .replaceAll(name, '<name>')
    .replace(/"request_id":"[^"]*"/, '"request_id":""')
    .replace(/Did you mean[^?]*\?|,"did_you_mean":"[^"]*"/g, '');
}

/** The text of a request, its members and the names in it. */
export const REQUEST_RULES = [
  ...rulesOf('the-query', {
    'missing-members': {
      sentence: 'query_model, query_attributes, page, page.page and page.size are required.',
      check: async (subject) => {
        const cases = [
          [{ query_model: undefined }, '/query_model'],
          [{ query_attributes: undefined }, '/query_attributes'],
          [{ page: undefined }, '/page'],
          [{ page: { size: 1 } }, '/page/page'],
          [{ page: { page: 1 } }, '/page/size'],
        ] as const;
        for (const [members, pointer] of cases)
          await subject.refuses(members, 'missing_member', pointer);
      },
    },
    'unknown-members': {
      sentence:
        'Members that the contract does not name are refused, at every level, with their pointer.',
      check: async (subject) => {
        const attribute = subject.selection.attributes[0];
        const leaf = { attribute, op: 'is_null', value: true, negate: true };
        const cases = [
          [{ offset: 0 }, '/offset'],
          [{ page: { page: 1, size: 1, offset: 0 } }, '/page/offset'],
          [{ query_sort: [{ attribute, order: 'asc' }] }, '/query_sort/0/order'],
          [{ query_filter: leaf }, '/query_filter/negate'],
          [{ 'a/b~c': 0 }, '/a~1b~0c'],
        ] as const;
        for (const [members, pointer] of cases)
          await subject.refuses(members, 'unknown_member', pointer);
      },
    },
    'attributes-list': {
      sentence: 'query_attributes names 1 to 200 distinct attributes.',
      check: async (subject) => {
        const [name = ''] = subject.selection.attributes;
        const many = Array.from({ length: 201 }, (_, index) => `a${index}`);
        const cases = [
          [[], 'no_attributes', ''],
          [[name, name], 'duplicate_attribute', '/1'],
          [many, 'too_many_attributes', ''],
          [name, 'invalid_type', ''],
        ] as const;
        for (const [query_attributes, code, at] of cases)
          await subject.refuses({ query_attributes }, code, `/query_attributes${at}`);
      },
    },
    'unknown-model': {
      sentence: 'A model that does not exist is refused with 400, not 404.',
      check: async (subject) =>
        subject.refuses({ query_model: 'no such model' }, 'unknown_model', '/query_model'),
    },
    'unknown-attribute': {
      sentence: 'Every attribute that does not exist is listed with its pointer.',
      check: async (subject) => {
        const [name = ''] = subject.selection.attributes;
        const query_attributes = ['no such one', name, 'nor this one'];
        for (const index of [0, 2]) {
          const pointer = `/query_attributes/${index}`;
          await subject.refuses({ query_attributes }, 'unknown_attribute', pointer);
        }
      },
    },
    'hidden-names': {
      sentence:
        'A model or an attribute that the token may not see is answered as one that does not ' +
        'exist.',
      check: async (subject) => {
        const { hiddenModel, hiddenAttribute } = subject.selection;
        given(
          hiddenModel ?? hiddenAttribute,
          'name something hidden with --hidden-model or --hidden-attribute',
        );
        if (hiddenModel !== undefined) await answersAlike(subject, hiddenModel, 'query_model');
        if (hiddenAttribute !== undefined)
          await answersAlike(subject, hiddenAttribute, 'query_attributes');
      },
    },
    'malformed-json': {
      sentence:
        'A body that is not a JSON text is refused: nothing, half an object, a comma too many, ' +
        'single quotes, NaN.',
      check: async (subject) => {
        const whole = JSON.stringify(subject.body());
        const texts = [
          '',
          '{',
          whole.slice(0, -1),
          `${whole.slice(0, -1)},}`,
          whole.replaceAll('"', "'"),
          `${whole}x`,
          '{"page":NaN}',
        ];
        for (const text of texts) {
          const of = `the body ${JSON.stringify(text.slice(0, 40))}`;
          demandProblem(await subject.query(text), of, 'malformed_json');
        }
      },
    },
    'duplicate-keys': {
      sentence: 'A member that is named twice is refused, however its name is written.',
      check: async (subject) => {
        const whole = JSON.stringify(subject.body());
        const again = `${whole.slice(0, -1)},"page":{"page":1,"size":1}}`;
        const nested = whole.replace('"page":1', '"page":1,"page":2');
        const escaped = nested.replace('"page":2', String.raw`"p\u0061ge":2`);
        for (const text of [again, nested, escaped])
          demandProblem(await subject.query(text), `the body ${text.slice(-60)}`, 'duplicate_key');
      },
    },
    'json-encoding': {
      sentence: 'A body that is not UTF-8 is refused.',
      check: async (subject) => {
        const bytes = Buffer.from(JSON.stringify(subject.body({ query_model: 'a?b' })), 'latin1');
        bytes[bytes.indexOf('?')] = 0xff;
        const reply = await subject.query('', { body: bytes });
        demandProblem(reply, 'a body with the byte FF', 'invalid_encoding');
      },
    },
    'json-object': {
      sentence: 'A body that is JSON and not an object is refused.',
      check: async (subject) => {
        for (const text of ['[]', 'null', '1', '"query"', JSON.stringify([subject.body()])])
          demandProblem(await subject.query(text), `the body ${text.slice(0, 20)}`, 'invalid_type');
      },
    },
  }),
  ...rulesOf('problems', {
    'all-errors': {
      sentence: 'A request with several errors is answered with all of them.',
      check: async (subject) => {
        const wrong = {
          query_attributes: ['no such one'],
          page: { page: 0, size: '1' },
          offset: 0,
        };
        const { json } = await subject.query(subject.body(wrong));
        const pointers = errorsOf(json).map(({ pointer }) => pointer);
        for (const pointer of ['/query_attributes/0', '/page/page', '/page/size', '/offset'])
          demand(
            pointers.includes(pointer),
            `expected an error at ${pointer}; got ${JSON.stringify(pointers)}`,
          );
      },
    },
  }),
];
