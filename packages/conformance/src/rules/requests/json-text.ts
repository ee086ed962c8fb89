import { demandProblem } from '../../demand-problem.ts';
import type { Rule } from '../../rule.ts';

export const JSON_TEXT_RULES: readonly Rule[] = [
  {
    id: 'malformed-json',
    sentence:
      'A body that is not a JSON text is refused: nothing, half an object, a comma too many, ' +
      'single quotes, NaN.',
    section: 'the-query',
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
        demandProblem(await subject.query(text), {
          of: `the body ${JSON.stringify(text.slice(0, 40))}`,
          code: 'malformed_json',
        });
      }
    },
  },
  {
    id: 'duplicate-keys',
    sentence: 'A member that is named twice is refused, however its name is written.',
    section: 'the-query',
    check: async (subject) => {
      const whole = JSON.stringify(subject.body());
      const again = `${whole.slice(0, -1)},"page":{"page":1,"size":1}}`;
      const nested = whole.replace('"page":1', '"page":1,"page":2');
      const escaped = nested.replace('"page":2', String.raw`"p\u0061ge":2`);
      for (const text of [again, nested, escaped]) {
        demandProblem(await subject.query(text), {
          of: `the body ${text.slice(-60)}`,
          code: 'duplicate_key',
        });
      }
    },
  },
  {
    id: 'json-encoding',
    sentence: 'A body that is not UTF-8 is refused.',
    section: 'the-query',
    check: async (subject) => {
      const bytes = Buffer.from(JSON.stringify(subject.body({ query_model: 'a?b' })), 'latin1');
      bytes[bytes.indexOf('?')] = 0xff;
      demandProblem(await subject.query('', { body: bytes }), {
        of: 'a body with the byte FF',
        code: 'invalid_encoding',
      });
    },
  },
  {
    id: 'json-object',
    sentence: 'A body that is JSON and not an object is refused.',
    section: 'the-query',
    check: async (subject) => {
      for (const text of ['[]', 'null', '1', '"query"', JSON.stringify([subject.body()])]) {
        demandProblem(await subject.query(text), {
          of: `the body ${text.slice(0, 20)}`,
          code: 'invalid_type',
        });
      }
    },
  },
];
