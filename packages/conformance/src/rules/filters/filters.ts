import type { Filter } from '@proj/client';
import { operatorsOf, WIRE_TYPES, type WireType } from '@proj/contract';

import { demand, demandEqual, NotTried } from '../../demand.ts';
import { rulesOf } from '../../rule.ts';
import { EXACT, occasion, ORDERED } from '../../subject/occasion.ts';

const isWireType = (type: string): type is WireType => Object.hasOwn(WIRE_TYPES, type);

export const FILTER_RULES = rulesOf('filters-and-sorting', {
  'catalogue-operators': {
    sentence: 'The operators of an attribute follow from its type.',
    check: async (subject) => {
      for (const { name, type, operators } of subject.entry.attributes) {
        const wanted = isWireType(type) ? operatorsOf(type) : operators;
        const what = `operators of ${name}, which is ${type}`;
        demandEqual(operators.toSorted(), wanted.toSorted(), what);
      }
    },
  },
  'filter-eq': {
    sentence: 'eq keeps the records with the value and no others, and the total counts them.',
    check: async (subject) => {
      const { name, value } = await occasion(subject, EXACT);
      const size = Math.min(100, subject.maximum);
      const query_filter = { attribute: name, op: 'eq', value };
      const { result, total } = await subject.first(size, { query_filter });
      const text = JSON.stringify(value);
      demand(result.length > 0, `${name} = ${text}: expected the record that has it; got none`);
      for (const record of result) demandEqual(record[name], value, `${name} = ${text}`);
      const came = BigInt(result.length);
      const isCounted = result.length === size ? total >= came : total === came;
      demand(isCounted, `${came} records came; got a total of ${total}`);
    },
  },
  'filter-null': {
    sentence: 'is_null keeps NULL, and with false everything else; true is its default.',
    check: async (subject) => {
      const { name, total, nulls, count } = await occasion(subject, EXACT);
      demandEqual(await count('is_null', false), total - nulls, `${name} is_null false`);
      demandEqual(await count('is_null'), nulls, `${name} is_null without a value`);
      const others = subject.attributes(
        ({ nullable, operators }) => nullable && operators.includes('is_null'),
      );
      for (const { name: other } of others) {
        const query_filter = { attribute: other, op: 'is_null', value: true };
        const { result } = await subject.first(10, { query_filter });
        for (const record of result) demandEqual(record[other] ?? null, null, `${other} is_null`);
      }
    },
  },
  'filter-ne': {
    sentence: 'ne and not_in leave NULL out.',
    check: async (subject) => {
      const { name, value, total, nulls, count } = await occasion(subject, EXACT);
      const others = total - nulls - (await count('eq', value));
      demandEqual(await count('ne', value), others, `${name} ne ${JSON.stringify(value)}`);
      demandEqual(await count('not_in', [value]), others, `${name} not_in one value`);
    },
  },
  'filter-distinct': {
    sentence: 'is_distinct treats NULL as a value like others.',
    check: async (subject) => {
      const { name, value, total, nulls, count } = await occasion(subject, EXACT);
      const others = total - (await count('eq', value));
      demandEqual(await count('is_distinct', value), others, `${name} is_distinct a value`);
      demandEqual(await count('is_distinct', null), total - nulls, `${name} is_distinct null`);
    },
  },
  'filter-in': {
    sentence: 'in keeps what equals one of the values.',
    check: async (subject) => {
      const { name, value, other, count } = await occasion(subject, EXACT);
      if (other === undefined) throw new NotTried('no attribute holds two values');
      const [one, two] = [await count('eq', value), await count('eq', other)];
      demandEqual(await count('in', [value, other]), one + two, `${name} in two values`);
      demandEqual(await count('in', [value, value]), one, `${name} in one value twice`);
    },
  },
  'filter-order': {
    sentence: 'lt, lte, gt, gte and between divide what is not NULL; between includes both ends.',
    check: async (subject) => {
      const { name, value, total, nulls, count } = await occasion(subject, ORDERED);
      const [less, equal, greater] = [
        await count('lt', value),
        await count('eq', value),
        await count('gt', value),
      ];
      demandEqual(less + equal + greater, total - nulls, `${name}: the sum of lt, eq and gt`);
      demandEqual(await count('lte', value), less + equal, `${name} lte`);
      demandEqual(await count('gte', value), greater + equal, `${name} gte`);
      const between = await count('between', [value, value]);
      demandEqual(between, equal, `${name} between a value and itself`);
    },
  },
  'filter-logic': {
    sentence:
      'and, or and not follow three-valued logic: what is neither true nor false is excluded.',
    check: async (subject) => {
      const { name, value, total, nulls, count } = await occasion(subject, EXACT);
      const equals: Filter = { attribute: name, op: 'eq', value };
      const differs: Filter = { attribute: name, op: 'ne', value };
      const wanted: readonly (readonly [Filter, bigint])[] = [
        [{ and: [equals, differs] }, 0n],
        [{ or: [equals, differs] }, total - nulls],
        [{ not: equals }, await count('ne', value)],
        [{ not: { not: equals } }, await count('eq', value)],
      ];
      for (const [filter, expected] of wanted)
        demandEqual(await subject.count(filter), expected, JSON.stringify(filter));
    },
  },
});
