import { OPERATORS } from '@proj/contract';

import { demandProblem } from '../../demand-problem.ts';
import { filtered, leaf } from '../../subject/filtered.ts';
import { type Rule } from '../../rule.ts';
import { given } from '../../demand.ts';

export const FILTER_ERROR_RULES: readonly Rule[] = [
  {
    id: 'filter-operators',
    sentence:
      'An unknown operator, and one that the type of the attribute does not take, are refused.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const attribute = subject.selection.attributes[0];
      const unknown = await filtered(subject, { attribute, op: 'like', value: 'a' });
      demandProblem(unknown, {
        of: 'the operator like',
        code: 'unknown_operator',
        pointer: '/query_filter/op',
      });
      for (const { name, operators } of subject.attributes(() => true)) {
        const missing = Object.entries(OPERATORS).find(
          ([op, { operand }]) => operand === 'value' && !operators.includes(op),
        )?.[0];
        if (missing === undefined) continue;
        const reply = await filtered(subject, { attribute: name, op: missing, value: 'a' });
        demandProblem(reply, {
          of: `${name} ${missing}`,
          code: 'operator_not_applicable',
          pointer: '/query_filter/op',
        });
      }
    },
  },
  {
    id: 'filter-values',
    sentence: "A value that is not of the attribute's type is refused.",
    section: 'filters-and-sorting',
    check: async (subject) => {
      const suiting = subject.attributes(({ operators }) => operators.includes('eq'));
      given(suiting[0], 'no attribute takes eq');
      for (const { name } of suiting) {
        for (const value of [{}, [], null]) {
          const reply = await filtered(subject, { attribute: name, op: 'eq', value });
          demandProblem(reply, {
            of: `${name} eq ${JSON.stringify(value)}`,
            code: 'invalid_value',
            pointer: '/query_filter/value',
          });
        }
      }
    },
  },
  {
    id: 'filter-unsafe-number',
    sentence: 'A JSON number past 2^53 is refused as a value of int64 or decimal.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const [wide] = subject.attributes(
        ({ type, operators }) =>
          (type === 'int64' || type === 'decimal') && operators.includes('eq'),
      );
      const { name } = given(wide, 'no attribute of type int64 or decimal takes eq');
      const body = JSON.stringify(
        subject.body({ query_filter: { attribute: name, op: 'eq', value: 0 } }),
      );
      const reply = await subject.query(body.replace('"value":0', '"value":9007199254740993'));
      demandProblem(reply, {
        of: `${name} eq 9007199254740993`,
        code: 'invalid_value',
        pointer: '/query_filter/value',
      });
    },
  },
  {
    id: 'filter-attributes',
    sentence: 'An unknown attribute in a filter is refused with its pointer.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const reply = await filtered(subject, {
        and: [leaf(subject), { attribute: 'no such attribute', op: 'is_null' }],
      });
      demandProblem(reply, {
        of: 'an unknown attribute',
        code: 'unknown_attribute',
        pointer: '/query_filter/and/1/attribute',
      });
    },
  },
  {
    id: 'filter-form',
    sentence:
      'A filter that is no tree is refused: an empty group, a list, a text, two groups in ' +
      'one object.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const cases = [
        { filter: { and: [] }, code: 'invalid_filter' },
        { filter: [leaf(subject)], code: 'invalid_type' },
        { filter: 'population > 1', code: 'invalid_type' },
        { filter: { and: [leaf(subject)], or: [leaf(subject)] }, code: 'unknown_member' },
        { filter: { op: 'is_null' }, code: 'missing_member' },
      ];
      for (const { filter, code } of cases) {
        demandProblem(await filtered(subject, filter), {
          of: `the filter ${JSON.stringify(filter).slice(0, 80)}`,
          code,
        });
      }
    },
  },
];
