import { describe, expect, it } from 'vitest';

import { planOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import { type KeyNulls, RecordStatements } from './compile-record.ts';

const BY_RANK = { query_sort: [{ attribute: 'rank' }] };
const BY_WORD = { query_sort: [{ attribute: 'word', nulls: 'first' }] };
const NONE: KeyNulls = [false, false];

function isPossible({ name }: { readonly name: string }): boolean {
  return name !== 'word';
}

function statementsOf(members: object): RecordStatements {
  const statements = RecordStatements.of(planOf(members), plainDialect);
  if (statements === undefined) throw new Error('The dialect has keys.');
  return statements;
}

function countOf(members: object, record: KeyNulls, from?: KeyNulls): string {
  const { sql } = statementsOf(members).countBefore({ record, from });
  return sql.replace('select count(*) from "notes" as "t" where ', '');
}

describe('the statement that finds a record in a list', () => {
  it('selects its key, the first where there are several, and meets the filter too', () => {
    const query_filter = { attribute: 'rank', op: 'gt', value: 1 };
    const plan = planOf({ ...BY_RANK, query_filter });
    const attribute = plan.rows.model.attributes.get('id');
    if (attribute === undefined) throw new Error('Notes have ids.');
    const statements = RecordStatements.of(plan, plainDialect);
    expect(statements?.find({ and: [{ attribute, op: 'eq', values: [7n] }] })).toMatchObject({
      sql:
        'select key("t"."rank") as "k0", key("t"."id") as "k1" from "notes" as "t"' +
        ' where ("t"."rank" > ?) and (("t"."id" in (?)))' +
        ' order by "t"."rank" asc nulls last, "t"."id" asc nulls last limit 1',
      parameters: [1n, 7n],
    });
  });
});

describe('the statement that counts the records before another one', () => {
  it('compares rows, from the beginning of the list on or from a key on', () => {
    const before = '("t"."rank", "t"."id") < (as_rank(?), as_id(?))';
    expect(countOf(BY_RANK, NONE)).toBe(before);
    const onwards = '("t"."rank", "t"."id") >= (as_rank(?), as_id(?))';
    expect(countOf(BY_RANK, NONE, NONE)).toBe(`${before} and ${onwards}`);
  });

  it('has the placeholders of the record before those of the key', () => {
    const { parameters } = statementsOf(BY_RANK).countBefore({ record: NONE, from: NONE });
    expect(parameters).toEqual([0, 1, 2, 3].map((index) => ({ placeholder: 'key', index })));
  });

  it('counts NULL where the order puts it first, unless the key comes after all of it', () => {
    const later = '("t"."word" = as_word(?) and ("t"."id" < as_id(?)))';
    expect(countOf(BY_WORD, NONE)).toBe(
      `("t"."word" < as_word(?) or "t"."word" is null or ${later})`,
    );
    expect(countOf(BY_WORD, NONE, NONE)).toContain(
      `"t"."word" <= as_word(?) and ("t"."word" < as_word(?) or ${later})`,
    );
    expect(countOf(BY_WORD, [true, false])).toBe(
      '"t"."word" is null and ("t"."word" is null and ("t"."id" < as_id(?)))',
    );
  });
});

describe('the statement that compares a record with keys', () => {
  it('counts those that come before it or are its own, each with placeholders behind it', () => {
    const template = statementsOf(BY_RANK).comparison({ record: NONE, keys: [NONE, NONE] });
    const one = 'case when ("t"."rank", "t"."id") >= (as_rank(?), as_id(?)) then 1 else 0 end';
    expect(template.sql).toBe(
      `select ${one} + ${one} from "notes" as "t"` +
        ' where "t"."rank" = as_rank(?) and "t"."id" = as_id(?) limit 1',
    );
    const indexes = template.parameters.map((parameter) => Reflect.get(Object(parameter), 'index'));
    expect(indexes).toEqual([2, 3, 4, 5, 0, 1]);
  });
});

it('statements for as many forms of keys as are usual are compiled once', () => {
  const statements = statementsOf(BY_RANK);
  expect(statements.usualNulls).toEqual([false, false]);
  const compared = (count: number) =>
    statements.comparison({ record: NONE, keys: Array.from({ length: count }, () => NONE) });
  const templates = Array.from({ length: 51 }, (_, index) => compared(index + 1));
  expect(templates.map((one, index) => compared(index + 1) === one)).toEqual(
    templates.map((_, index) => index < 50),
  );
});

it('a record whose first value is NULL is counted and compared by that', () => {
  const { sql } = statementsOf(BY_WORD).comparison({ record: [true, false], keys: [NONE] });
  expect(sql).toMatch(/ where "t"."word" is null and "t"."id" = as_id\(\?\) limit 1$/);
  const counted = [NONE, [true, false]].map((record) => countOf(BY_WORD, record, [true, false]));
  const onwards = '("t"."word" is not null or ("t"."word" is null and ("t"."id" >= as_id(?))))';
  const later = '("t"."word" = as_word(?) and ("t"."id" < as_id(?)))';
  expect(counted).toEqual([
    `("t"."word" < as_word(?) or "t"."word" is null or ${later}) and ${onwards}`,
    `"t"."word" is null and ("t"."word" is null and ("t"."id" < as_id(?))) and ${onwards}`,
  ]);
});

it('records with NULL, which come last, are counted and compared where they may be reached', () => {
  const byWord = { query_sort: [{ attribute: 'word' }] };
  const [toNull, toValue] = [[true, false], NONE].map((record) => countOf(byWord, record, NONE));
  const { sql } = statementsOf(byWord).comparison({ record: NONE, keys: [NONE] });
  const onwards = '("t"."word" > as_word(?) or "t"."word" is null or ("t"."word" = as_word(?) and';
  expect([toNull, toValue, sql].map((text) => text?.includes(onwards))).toEqual([
    true,
    false,
    true,
  ]);
});

it('there are none where a value of the order is no part of a key', () => {
  const { keys, ...dialect } = plainDialect;
  expect(RecordStatements.of(planOf(), dialect)).toBeUndefined();
  const some = { ...dialect, ...(keys && { keys: { ...keys, isPossible } }) };
  expect(RecordStatements.of(planOf(BY_RANK), some)).toBeDefined();
  expect(RecordStatements.of(planOf(BY_WORD), some)).toBeUndefined();
});
