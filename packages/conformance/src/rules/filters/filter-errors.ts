import { FILTER_LIMITS, OPERATORS, type ProblemCode } from '@proj/contract';

import { demandEqual, demandError, given } from '../../demand.ts';
import { rulesOf } from '../../rule.ts';
import type { Subject } from '../../subject/subject.ts';

/** A comparison that any attribute takes. */
function leaf({ selection }: Subject) {
  return { attribute: selection.attributes[0], op: 'is_null', value: false };
}

function nested(subject: Subject, depth: number): unknown {
  return depth === 1 ? leaf(subject) : { not: nested(subject, depth - 1) };
}

const many = (count: number, item: unknown): unknown[] => Array.from({ length: count }, () => item);

const lengthOf = ({ value }: { value: unknown }): number =>
  JSON.stringify(value)?.length ?? Infinity;

/** The attribute with the shortest values: a thousand of them must fit into a body. */
async function listed(subject: Subject): Promise<{ name: string; value: unknown }> {
  const suiting = subject.attributes(({ operators }) => operators.includes('in'));
  const found = await Promise.all(
    suiting.map(async ({ name }) => ({ name, value: (await subject.values(name))[0] })),
  );
  const [shortest] = found.toSorted((a, b) => lengthOf(a) - lengthOf(b));
  return given(
    shortest && lengthOf(shortest) < 30 ? shortest : undefined,
    'no attribute with short values takes in',
  );
}

export const FILTER_ERROR_RULES = rulesOf('filters-and-sorting', {
  'filter-operators': {
    sentence:
      'An unknown operator, and one that the type of the attribute does not take, are refused.',
    check: async (subject) => {
      const refuses = async (attribute: unknown, op: string, code: ProblemCode) =>
        subject.refuses({ query_filter: { attribute, op, value: 'a' } }, code, '/query_filter/op');
      await refuses(subject.selection.attributes[0], 'like', 'unknown_operator');
      for (const { name, operators } of subject.attributes(() => true)) {
        const [missing] =
          Object.entries(OPERATORS).find(
            ([op, { operand }]) => operand === 'value' && !operators.includes(op),
          ) ?? [];
        if (missing !== undefined) await refuses(name, missing, 'operator_not_applicable');
      }
    },
  },
  'filter-values': {
    sentence: "A value that is not of the attribute's type is refused.",
    check: async (subject) => {
      const suiting = subject.attributes(({ operators }) => operators.includes('eq'));
      given(suiting[0], 'no attribute takes eq');
      for (const { name: attribute } of suiting) {
        for (const value of [{}, [], null]) {
          const query_filter = { attribute, op: 'eq', value };
          await subject.refuses({ query_filter }, 'invalid_value', '/query_filter/value');
        }
      }
    },
  },
  'filter-unsafe-number': {
    sentence: 'A JSON number past 2^53 is refused as a value of int64 or decimal.',
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
      demandError(reply, `${name} eq 9007199254740993`, {
        code: 'invalid_value',
        pointer: '/query_filter/value',
      });
    },
  },
  'filter-attributes': {
    sentence: 'An unknown attribute in a filter is refused with its pointer.',
    check: async (subject) => {
      const and = [leaf(subject), { attribute: 'no such attribute', op: 'is_null' }];
      const pointer = '/query_filter/and/1/attribute';
      await subject.refuses({ query_filter: { and } }, 'unknown_attribute', pointer);
    },
  },
  'filter-form': {
    sentence:
      'A filter that is no tree is refused: an empty group, a list, a text, two groups in ' +
      'one object.',
    check: async (subject) => {
      const cases = [
        [{ and: [] }, 'invalid_filter'],
        [[leaf(subject)], 'invalid_type'],
        ['population > 1', 'invalid_type'],
        [{ and: [leaf(subject)], or: [leaf(subject)] }, 'unknown_member'],
        [{ op: 'is_null' }, 'missing_member'],
      ] as const;
      for (const [query_filter, code] of cases) await subject.refuses({ query_filter }, code);
    },
  },
  'filter-limits': {
    sentence:
      'A filter is at most 5 deep, has at most 50 comparisons, and lists at most 1000 values.',
    check: async (subject) => {
      const { name: attribute, value } = await listed(subject);
      const filters: readonly (readonly [limit: number, of: (size: number) => unknown])[] = [
        [FILTER_LIMITS.depth, (depth) => nested(subject, depth)],
        [FILTER_LIMITS.leaves, (leaves) => ({ or: many(leaves, leaf(subject)) })],
        [FILTER_LIMITS.values, (size) => ({ attribute, op: 'in', value: many(size, value) })],
      ];
      for (const [limit, of] of filters) {
        const { status } = await subject.query(subject.body({ query_filter: of(limit) }));
        demandEqual(status, 200, `a filter at its limit of ${limit}: the status`);
        await subject.refuses({ query_filter: of(limit + 1) }, 'filter_too_large');
      }
    },
  },
});
