import type { Filter } from '@proj/client';

import { type Rule } from '../../rule.ts';
import { demand, NotTried } from '../../demand.ts';
import { EXACT, occasion, ORDERED } from '../../subject/occasion.ts';

function demandCount(got: bigint, expected: bigint, what: string): void {
  demand(got === expected, `${what}: expected a total of ${expected}; got ${got}`);
}

export const FILTER_RULES: readonly Rule[] = [
  {
    id: 'filter-eq',
    sentence: 'eq keeps the records with the value and no others, and the total counts them.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const { name, value } = await occasion(subject, EXACT);
      const size = Math.min(100, subject.maximum);
      const query_filter = { attribute: name, op: 'eq', value };
      const { result, total } = await subject.read({ page: 1, size, more: { query_filter } });
      const text = JSON.stringify(value);
      demand(result.length > 0, `${name} = ${text}: expected the record that has it; got none`);
      const wrong = result
        .map((record) => JSON.stringify(record[name]))
        .find((got) => got !== text);
      demand(wrong === undefined, `${name} = ${text}: got a record with ${wrong}`);
      demand(
        total >= BigInt(result.length) &&
          (result.length === size || total === BigInt(result.length)),
        `${result.length} records came; got a total of ${total}`,
      );
    },
  },
  {
    id: 'filter-null',
    sentence: 'is_null keeps NULL, and with false everything else; true is its default.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const { name, total, nulls, count } = await occasion(subject, EXACT);
      demandCount(await count('is_null', false), total - nulls, `${name} is_null false`);
      demandCount(await count('is_null'), nulls, `${name} is_null without a value`);
      const others = subject.attributes(
        ({ nullable, operators }) => nullable && operators.includes('is_null'),
      );
      for (const { name: other } of others) {
        const query_filter = { attribute: other, op: 'is_null', value: true };
        const { result } = await subject.read({ page: 1, size: 10, more: { query_filter } });
        demand(
          result.every((record) => (record[other] ?? null) === null),
          `${other} is_null: got a record with a value`,
        );
      }
    },
  },
  {
    id: 'filter-ne',
    sentence: 'ne and not_in leave NULL out.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const { name, value, total, nulls, count } = await occasion(subject, EXACT);
      const equal = await count('eq', value);
      demandCount(
        await count('ne', value),
        total - nulls - equal,
        `${name} ne ${JSON.stringify(value)}`,
      );
      demandCount(
        await count('not_in', [value]),
        total - nulls - equal,
        `${name} not_in [${JSON.stringify(value)}]`,
      );
    },
  },
  {
    id: 'filter-distinct',
    sentence: 'is_distinct treats NULL as a value like others.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const { name, value, total, nulls, count } = await occasion(subject, EXACT);
      demandCount(
        await count('is_distinct', value),
        total - (await count('eq', value)),
        `${name} is_distinct ${JSON.stringify(value)}`,
      );
      demandCount(await count('is_distinct', null), total - nulls, `${name} is_distinct null`);
    },
  },
  {
    id: 'filter-in',
    sentence: 'in keeps what equals one of the values.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const { name, value, other, count } = await occasion(subject, EXACT);
      if (other === undefined) throw new NotTried('no attribute holds two values');
      const sum = (await count('eq', value)) + (await count('eq', other));
      demandCount(await count('in', [value, other]), sum, `${name} in two values`);
      demandCount(
        await count('in', [value, value]),
        await count('eq', value),
        `${name} in one value twice`,
      );
    },
  },
  {
    id: 'filter-order',
    sentence: 'lt, lte, gt, gte and between divide what is not NULL; between includes both ends.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const { name, value, total, nulls, count } = await occasion(subject, ORDERED);
      const [less, equal, greater] = [
        await count('lt', value),
        await count('eq', value),
        await count('gt', value),
      ];
      demandCount(less + equal + greater, total - nulls, `${name}: the sum of lt, eq and gt`);
      demandCount(await count('lte', value), less + equal, `${name} lte`);
      demandCount(await count('gte', value), greater + equal, `${name} gte`);
      demandCount(
        await count('between', [value, value]),
        equal,
        `${name} between a value and itself`,
      );
    },
  },
  {
    id: 'filter-logic',
    sentence:
      'and, or and not follow three-valued logic: what is neither true nor false is excluded.',
    section: 'filters-and-sorting',
    check: async (subject) => {
      const { name, value, total, nulls, count } = await occasion(subject, EXACT);
      const equals: Filter = { attribute: name, op: 'eq', value };
      const differs: Filter = { attribute: name, op: 'ne', value };
      const unequal = await count('ne', value);
      demandCount(await subject.count({ and: [equals, differs] }), 0n, `${name}: eq and ne`);
      demandCount(
        await subject.count({ or: [equals, differs] }),
        total - nulls,
        `${name}: eq or ne`,
      );
      demandCount(await subject.count({ not: equals }), unequal, `${name}: not eq`);
      demandCount(
        await subject.count({ not: { not: equals } }),
        await count('eq', value),
        `${name}: not not eq`,
      );
    },
  },
];
