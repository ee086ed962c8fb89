import { catalogueEntry, type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { databaseFile } from '../../sqlite/test/database-file.ts';
import { ask, open } from './open.ts';
import { unsaidValues } from './says-type.ts';

/** A declared type, an SQL literal, and the JSON text that travels. */
type Golden = readonly [declared: string, literal: string, json: string];

const HUGE = String(BigInt(1e300));

const GOLDEN: readonly Golden[] = [
  ['text', `'a' || char(0) || 'b'`, String.raw`"a\u0000b"`],
  ['text', 'char(1, 8, 9, 10, 12, 13, 31, 127)', `"\\u0001\\b\\t\\n\\f\\r\\u001f\u007f"`],
  ['text', '42', '"42"'],
  ['text', '0.1', '"0.1"'],
  ['text', `x'00ff'`, '"AP8="'],
  ['integer', `'12'`, '"12"'],
  ['integer', `'twelve'`, '"twelve"'],
  ['integer', '18446744073709551616', '"18446744073709551616"'],
  ['integer', '0.5', '"0.5"'],
  ['integer', '1e300', `"${HUGE}"`],
  ['integer', '9e999', '"Infinity"'],
  ['integer', `x'01'`, '"AQ=="'],
  ['real', '-2.2250738585072014e-308', '-2.2250738585072014e-308'],
  ['real', '-0.0', '0'],
  ['real', '9e999', '"Infinity"'],
  ['real', '-9e999', '"-Infinity"'],
  ['real', '9007199254740993', '9007199254740992'],
  ['real', `'abc'`, '"abc"'],
  ['real', `x'ff'`, '"/w=="'],
  ['decimal(10, 2)', `'12.50'`, '"12.5"'],
  ['decimal(10, 2)', '0.1', '"0.1"'],
  ['decimal(10, 2)', '1e-7', '"0.0000001"'],
  ['decimal(10, 2)', '9223372036854775807', '"9223372036854775807"'],
  ['decimal(10, 2)', `'twelve'`, '"twelve"'],
  ['decimal(10, 2)', `x''`, '""'],
  ['boolean', `'1'`, 'true'],
  ['boolean', '0.0', 'false'],
  ['boolean', '2', '"2"'],
  ['boolean', '0.5', '"0.5"'],
  ['boolean', `'yes'`, '"yes"'],
  ['boolean', `x'01'`, '"AQ=="'],
  ['blob', `'text'`, '"dGV4dA=="'],
  ['blob', '5', '"NQ=="'],
  ['json', `'"text"'`, '"text"'],
  ['json', `'"' || char(92) || 'ud83d"'`, String.raw`"\ud83d"`],
  ['json', '1', '1'],
  ['json', '9223372036854775807', '9223372036854775807'],
  ['json', '1.5', '1.5'],
  ['json', `'{"a":1'`, String.raw`"{\"a\":1"`],
  ['json', `'{a:1}'`, '"{a:1}"'],
  ['json', `'{"a":NaN}'`, String.raw`"{\"a\":NaN}"`],
  ['json', `''`, '""'],
  ['json', `x'00'`, '"AA=="'],
  ['datetime', `'2026-01-31 23:59:59'`, '"2026-01-31T23:59:59"'],
  ['datetime', `'2026-01-31'`, '"2026-01-31T00:00:00"'],
  ['datetime', `'2026-01-31T23:59:59.1234567Z'`, '"2026-01-31T23:59:59.1234567"'],
  ['datetime', `'2026-01-31 23:59:59.500+01:00'`, '"2026-01-31T22:59:59.5"'],
  ['datetime', `'2026-02-31 23:59:59'`, '"2026-02-31 23:59:59"'],
  ['datetime', `'soon' || char(0) || '!'`, String.raw`"soon\u0000!"`],
  ['datetime', `x'00ff'`, '"AP8="'],
  ['timestamp with time zone', `'2026-01-31 23:59:59+01:00'`, '"2026-01-31T22:59:59Z"'],
  ['timestamp with time zone', `'soon'`, '"soon"'],
  ['date', `'2026-01-31'`, '"2026-01-31"'],
  ['date', `'2026-01-31 00:00:00'`, '"2026-01-31"'],
  ['date', `'2026-01-31 00:00:01'`, '"2026-01-31 00:00:01"'],
  ['datetime', '1700000000', '"1700000000"'],
  ['date', '2460000.5', '"2460000.5"'],
  ['', `'{"a":1}'`, String.raw`"{\"a\":1}"`],
  ['', `'1'`, '"1"'],
  ['', `'a' || char(0) || 'b'`, String.raw`"a\u0000b"`],
  ['', '1', '1'],
  ['', '-9007199254740991', '-9007199254740991'],
  ['', '9007199254740993', '{"number":"9007199254740993"}'],
  ['', '-9223372036854775808', '{"number":"-9223372036854775808"}'],
  ['', '1.0', '1.0'],
  ['', '0.1', '0.1'],
  ['', '5e-324', '5e-324'],
  ['', '9007199254740994.0', '{"number":"9007199254740994.0"}'],
  ['', '1e300', `{"number":"${HUGE}.0"}`],
  ['', '-9e999', '{"number":"-Infinity"}'],
  ['', `x'00ff'`, '{"bytes":"AP8="}'],
  ['', `x''`, '{"bytes":""}'],
  ['any', `'1'`, '1'],
  ['time', `'12:30'`, '"12:30"'],
];

const TYPES = [...new Set(GOLDEN.map(([declared]) => declared))];
const columns = GOLDEN.map(([declared], index) => `v${index} ${declared}`);
const nulls = TYPES.map((declared, index) => `n${index} ${declared}`);
let engine: Engine;

beforeAll(async () => {
  const path = databaseFile(
    `create table golden (id integer primary key, ${columns.join(', ')});
     insert into golden values (1, ${GOLDEN.map(([, literal]) => literal).join(', ')});
     create table nulls (id integer primary key, ${nulls.join(', ')});
     insert into nulls (id) values (1);
     create table given (id integer primary key, whole integer, flag integer);
     insert into given values (1, 7, 1), (2, 'x', 2), (3, 1e20, 'true');
     create table strict_rows (id integer primary key, n real, flag int) strict;
     insert into strict_rows values (1, 0.5, 1), (2, 9e999, 2);
     create view computed as select id, json_array(1, 2) as a, json_object('b', 1) as b, id + 0.5 as c, x'01' as d from nulls`,
  );
  engine = await open(`sqlite:${path}`, {
    models: {
      computed: { key: ['id'] },
      given: { attributes: { whole: { type: 'int32' }, flag: { type: 'boolean' } } },
      strict_rows: { attributes: { flag: { type: 'boolean' } } },
    },
  });
});

/** The JSON text of one value: numbers must not pass through JavaScript. */
async function textOf(model: string, attribute: string): Promise<string> {
  const { text } = await ask(engine, { model, attributes: [attribute] });
  return text.slice(`[{"${attribute}":`.length, -'}]'.length);
}

/** What the catalogue says of values beyond the type of each attribute of a model. */
function misfitsOf(model: string): object {
  const { attributes = [] } = catalogueEntry(engine.catalogue, EVERYTHING, model) ?? {};
  return Object.fromEntries(attributes.map(({ name, misfits }) => [name, misfits]));
}

describe('a value in a SQLite file', () => {
  it.each(
    GOLDEN.map(
      ([declared, literal, json], index) => [declared || 'no type', literal, json, index] as const,
    ),
  )('of a column of %s that holds %s travels as %s', async (_declared, _literal, json, index) => {
    expect(await textOf('golden', `v${index}`)).toBe(json);
  });

  it.each(TYPES.map((declared, index) => [declared || 'no type', index] as const))(
    'of NULL in a column of %s travels as null',
    async (_, index) => {
      expect(await textOf('nulls', `n${index}`)).toBe('null');
    },
  );

  it.each([
    ['a', '"[1,2]"'],
    ['b', String.raw`"{\"b\":1}"`],
    ['c', '1.5'],
    ['d', '{"bytes":"AQ=="}'],
  ])(
    'that a view computes, %s, travels as what it is, since its type is unknown',
    async (attribute, json) => {
      expect(await textOf('computed', attribute)).toBe(json);
    },
  );

  it('in any combination gives one JSON text that every reader reads', async () => {
    const attributes = GOLDEN.map((_, index) => `v${index}`);
    const { text, records } = await ask(engine, { model: 'golden', attributes });
    expect(Object.keys(records[0] ?? {})).toEqual(attributes);
    expect(text).toBe(`[{${GOLDEN.map(([, , json], index) => `"v${index}":${json}`).join(',')}}]`);
  });

  it.each(['golden', 'given', 'strict_rows'])(
    'of the table %s is of a form that the catalogue says',
    async (model) => {
      const attributes = [...(engine.catalogue.get(model)?.attributes.keys() ?? [])];
      const { records } = await ask(engine, { model, attributes });
      expect(unsaidValues(engine, model, records)).toEqual([]);
    },
  );

  it('is no text in a column of numbers of a STRICT table, and the catalogue says so', () => {
    expect(misfitsOf('strict_rows')).toEqual({ flag: 'numbers' });
    expect(misfitsOf('given')).toEqual({ whole: 'any', flag: 'any' });
  });
});
