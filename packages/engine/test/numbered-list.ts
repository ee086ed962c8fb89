import assert from 'node:assert/strict';

import type { Checkpoints } from '../src/sources/following/followed-moment.ts';
import type { Snapshot } from '../src/sources/source.ts';
import type { Key } from '../src/sql/clauses/seek.ts';
import type { RecordStatements } from '../src/sql/compile/compile-record.ts';
import type { Statement, Template } from '../src/sql/statement.ts';

/** A statement of keys with NULL in these places. */
function keyed(sql: string, keys: readonly (readonly boolean[])[]): Template {
  const parameters = keys.flat().map((_, index) => ({ placeholder: 'key' as const, index }));
  return { sql: `${sql} ${keys.flat().join()}`, parameters };
}

/** Statements of a record, which are their names and the places of NULL. */
export function recordStatements(): RecordStatements {
  const statements: Partial<RecordStatements> = {
    find: () => ({ sql: 'find', parameters: [] }),
    comparison: ({ record, keys }) => keyed('compare', [record, ...keys]),
    countBefore: ({ record, from }) =>
      keyed('count', from === undefined ? [record] : [record, from]),
    usualNulls: [false],
  };
  return statements as RecordStatements;
}

/** Where the keys are that are bound, which have NULL where the statement says so. */
function placesIn({ sql, parameters }: Statement): number[] {
  const [, nulls = ''] = sql.split(' ');
  assert.equal(parameters.map((one) => one === null).join(), nulls);
  return parameters.flatMap((one, at) => (at % 2 === 0 ? [Number(one ?? parameters[at + 1])] : []));
}

/** A list of the numbers from 0, the last of which are NULL and a number: how it was read. */
export function numberedList(place: number | undefined, { numbers }: { readonly numbers: number }) {
  const compared: number[] = [];
  let counted = 0;
  const keyAt = (at: number) => (at < numbers ? [at, 0] : [null, at]);
  const snapshot: Pick<Snapshot, 'row' | 'count'> = {
    row: async (statement, isCommon = false) => {
      if (statement.sql === 'find') return place === undefined ? undefined : keyAt(place);
      const [own = 0, ...others] = placesIn(statement);
      assert.deepEqual([new Set(others).size, isCommon], [others.length, true]);
      compared.push(others.length);
      return [String(others.filter((other) => other <= own).length)];
    },
    count: async (statement, isCommon) => {
      const [own = 0, from = 0] = placesIn(statement);
      assert.equal(isCommon, statement.parameters.length > 2);
      counted = Math.max(0, own - from);
      return BigInt(counted);
    },
  };
  return { snapshot, keyAt, cost: () => ({ counted, compared }) };
}

/** Keys of a list, so many rows from each other. */
export function numberedCheckpoints(
  keyAt: (row: number) => Key,
  { first, step, length }: Record<'first' | 'step' | 'length', number>,
): Checkpoints {
  const rowOf = (index: number): number => {
    if (index < 0 || index >= length) throw new RangeError('There is no such checkpoint.');
    return first + index * step;
  };
  const rowsBefore = (index: number) => BigInt(rowOf(index));
  return { length, rowsBefore, keyAt: (index) => keyAt(rowOf(index)) };
}
