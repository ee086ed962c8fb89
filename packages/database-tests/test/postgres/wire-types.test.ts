import type { Engine } from '@proj/engine';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { ask, open } from '../open.ts';
import { unsaidValues } from '../says-type.ts';
import { usePostgres } from './server.ts';

/** Column type, value as SQL, and the JSON text of the value on the wire. */
const CASES: readonly (readonly [column: string, literal: string, json: string])[] = [
  ['smallint', '-32768', '-32768'],
  ['numeric', '1e-20', '"0.00000000000000000001"'],
  ['numeric', '1e30', `"1${'0'.repeat(30)}"`],
  ['numeric', "'NaN'", '"NaN"'],
  ['money', "'-92233720368547758.08'", '"-92233720368547758.08"'],
  ['money', '1.5', '"1.50"'],
  ['float8', "'NaN'", '"NaN"'],
  ['float8', "'Infinity'", '"Infinity"'],
  ['float8', "'-Infinity'", '"-Infinity"'],
  ['float8', "'-0'", '-0'],
  ['float8', '-1.2345678901234567e20', '-123456789012345670000'],
  ['float4', '0.1', '0.1'],
  ['float4', '16777216', '16777216'],
  ['float4', '1e15', '1000000000000000'],
  ['float4', '1e21', '1e+21'],
  ['float4', '1e23', '1e+23'],
  ['float4', "'2.4000001e19'", '24000001000000000000'],
  ['float4', '1e-5', '0.00001'],
  ['float4', '1e-7', '1e-7'],
  ['float4', "'1e-45'", '1e-45'],
  ['float4', "'-0'", '-0'],
  ['float4', "'NaN'", '"NaN"'],
  ['float4', "'-Infinity'", '"-Infinity"'],
  ['date', "'0044-03-15 BC'", '"0044-03-15 BC"'],
  ['date', "'infinity'", '"infinity"'],
  ['date', "'-infinity'", '"-infinity"'],
  ['time', "'24:00:00'", '"24:00:00"'],
  ['time', "'10:00:00.500'", '"10:00:00.5"'],
  ['timetz', "'10:00:00+02'", '"10:00:00+02"'],
  ['timestamp', "'0044-03-15 12:00:00.5 BC'", '"0044-03-15T12:00:00.5 BC"'],
  ['timestamp', "'infinity'", '"infinity"'],
  ['timestamptz', "'2026-01-31 23:59:59.000001+05:30'", '"2026-01-31T18:29:59.000001Z"'],
  ['timestamptz', "'0001-01-01 00:00:00+00'", '"0001-01-01T00:00:00Z"'],
  ['timestamptz', "'9999-12-31 23:59:59.999999+00'", '"9999-12-31T23:59:59.999999Z"'],
  ['timestamptz', "'0044-03-15 12:00:00+00 BC'", '"0044-03-15T12:00:00Z BC"'],
  ['timestamptz', "'2026-07-01 10:00:00 Europe/Zurich'", '"2026-07-01T08:00:00Z"'],
  ['timestamptz', "'-infinity'", '"-infinity"'],
  ['interval', "'1 year 2 mons 3 days 04:05:06.7'", '"1 year 2 mons 3 days 04:05:06.7"'],
  ['text', "repeat('é', 600000)", JSON.stringify('é'.repeat(600_000))],
  ['varchar(9)', "'ab  '", '"ab  "'],
  ['char(5)', "'ab'", '"ab"'],
  ['"char"', "'x'", '"x"'],
  ['name', "'a name'", '"a name"'],
  ['mood', '\'so "so"\'', '"so \\"so\\""'],
  ['pair', `row(1, 'x "y"')`, JSON.stringify('(1,"x ""y""")')],
  ['int4range', "'[1,5)'", '"[1,5)"'],
  ['inet', "'2001:db8::1/64'", '"2001:db8::1/64"'],
  ['inet', "'10.0.0.1'", '"10.0.0.1"'],
  ['cidr', "'10.0.0.0/8'", '"10.0.0.0/8"'],
  ['bit(3)', "b'101'", '"101"'],
  ['point', "'(1,2.5)'", '"(1,2.5)"'],
  ['tsvector', `'a:1 b'`, JSON.stringify(`'a':1 'b'`)],
  [
    'json',
    `'{ "a" : [1, 2.50, 12345678901234567890.10, 1e400],\n "a": " x  \\" " }'`,
    '{"a":[1,2.50,12345678901234567890.10,1e400],"a":" x  \\" "}',
  ],
  [
    'jsonb',
    `'{"b c": [1, 2.50, 12345678901234567890.10], "a": null}'`,
    '{"a":null,"b c":[1,2.50,12345678901234567890.10]}',
  ],
  ['json', "'null'", 'null'],
  ['jsonb', `'"text"'`, '"text"'],
  ['int[]', "'{{1,NULL},{3,4}}'", '[[1,null],[3,4]]'],
  ['int[]', "'{}'", '[]'],
  ['int[]', "'[0:1]={1,2}'", '[1,2]'],
  ['int2vector', "'1 2'", '[1,2]'],
  ['bigint[]', "'{9223372036854775807,NULL}'", '["9223372036854775807",null]'],
  ['numeric(5, 1)[]', "'{1.50,NULL}'", '["1.5",null]'],
  ['money[]', "'{1.5,NULL}'", '["1.50",null]'],
  ['boolean[]', "'{t,f,NULL}'", '[true,false,null]'],
  [
    'float8[]',
    "'{1e15,NaN,-0,NULL,1e-7,-Infinity}'",
    '[1000000000000000,"NaN",-0,null,1e-7,"-Infinity"]',
  ],
  ['float8[]', "'{{{0.1},{2}},{{3},{NULL}}}'", '[[[0.1],[2]],[[3],[null]]]'],
  ['float8[]', "'{}'", '[]'],
  ['float8[]', "'[0:1][5:6]={{1,2},{3,4}}'", '[[1,2],[3,4]]'],
  ['float4[]', "'{0.1,16777216,1e23,NULL}'", '[0.1,16777216,1e+23,null]'],
  [
    'timestamptz[]',
    "'{{2026-01-31 10:00:00+01},{infinity}}'",
    '[["2026-01-31T09:00:00Z"],["infinity"]]',
  ],
  ['timestamp[]', "'{2026-01-31 10:00:00,NULL}'", '["2026-01-31T10:00:00",null]'],
  ['date[]', "'{infinity,0044-03-15 BC}'", '["infinity","0044-03-15 BC"]'],
  [
    'uuid[]',
    "'{7C1D9A52-6F0E-4D6A-9A62-5F2F4C0E8B11}'",
    '["7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11"]',
  ],
  ['text[]', `'{"a \\"b\\" \\\\ ,",NULL,"NULL",""}'`, '["a \\"b\\" \\\\ ,",null,"NULL",""]'],
  ['mood[]', "'{ok}'", '["ok"]'],
  ['char(3)[]', "'{a}'", '["a"]'],
  ['jsonb[]', `array['{"a": 1}'::jsonb, 'null']`, '[{"a":1},null]'],
  ['inet[]', "'{10.0.0.1}'", '["10.0.0.1"]'],
  ['bytea[]', "array['\\x00ff'::bytea]", JSON.stringify('{"\\\\x00ff"}')],
  ['floats', "'{0.1}'", '[0.1]'],
  ['single[]', "'{0.1,16777216,NULL}'", '[0.1,16777216,null]'],
  ['cash[]', "'{1.5}'", '["1.50"]'],
  ['words[]', `'{"a b",NULL}'`, '["a b",null]'],
  ['int', 'null', 'null'],
  ['float8', 'null', 'null'],
  ['float4', 'null', 'null'],
  ['timestamptz', 'null', 'null'],
  ['float8[]', 'null', 'null'],
  ['bytea', 'null', 'null'],
  ['jsonb', 'null', 'null'],
];

function setUp(): string {
  const columns = CASES.map(([column], index) => `c${index} ${column}`);
  return `set client_encoding = 'UTF8'; create type mood as enum ('ok', 'so "so"'); create type pair as (a int, b text);
    create domain floats as float8[]; create domain single as real; create domain cash as money;
    create domain word as text; create domain words as word check (value <> '');
    create table golden (id int primary key, ${columns.join(', ')});
    insert into golden values (1, ${CASES.map(([, literal]) => literal).join(', ')});
    create table numbers (id int primary key, whole float8, single float4);
    create table changing (id int primary key, a int, b bigint, c boolean, d jsonb, e float8, f bytea, g timestamptz, h uuid);
    insert into changing values (1, 5, 5, true, '[5]', 5, '', now(), gen_random_uuid());`;
}

describe('a value from PostgreSQL', () => {
  const postgres = usePostgres(setUp());
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(postgres().url);
  });

  it.each(
    CASES.map(
      ([column, literal, json], index) => [column, literal.slice(0, 60), { json, index }] as const,
    ),
  )(
    'of type %s, stored as %s, keeps every digit and byte',
    async (_column, _literal, { json, index }) => {
      const { text } = await ask(engine, { model: 'golden', attributes: [`c${index}`] });
      expect(text === `[{"c${index}":${json}}]` || text.slice(0, 300)).toBe(true);
    },
  );

  it('of any type is of a form that the catalogue says', async () => {
    const attributes = [...(engine.catalogue.get('golden')?.attributes.keys() ?? [])];
    const { records } = await ask(engine, { model: 'golden', attributes });
    expect(records).toHaveLength(1);
    expect(unsaidValues(engine, 'golden', records)).toEqual([]);
  });

  it('of a floating point type is printed as JavaScript prints it', async () => {
    const numbers = fc.array(fc.tuple(bitPattern(8), bitPattern(4)), {
      minLength: 1000,
      maxLength: 1000,
    });
    await fc.assert(
      fc.asyncProperty(numbers, async (pairs) => {
        const rows = pairs.map(
          ([whole, single], id) => `(${id}, '${asText(whole)}', '${asText(single)}')`,
        );
        await postgres().client(`truncate numbers; insert into numbers values ${rows.join(', ')}`);
        const shortest = (await postgres().client('select single from numbers order by id')).split(
          '\n',
        );
        const { text } = await ask(engine, {
          model: 'numbers',
          attributes: ['whole', 'single'],
          size: 1000,
        });
        const printed = text.slice(2, -2).split('},{');
        for (const [index, [whole, single]] of pairs.entries()) {
          const [, a = '', b = ''] =
            /^"whole":(.*),"single":(.*)$/.exec(printed[index] ?? '') ?? [];
          expect(sameDigits(whole) ? a : printedByJavaScript(Number(a))).toBe(
            printedByJavaScript(whole),
          );
          expect(b).toBe(printedByJavaScript(Number(shortest[index])));
          expect(Math.fround(Number(b.replaceAll('"', '')))).toBe(single);
        }
      }),
      { numRuns: 3 },
    );
  });

  it('of a column that has become another type since still travels as JSON', async () => {
    const columns = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const before = await ask(engine, { model: 'changing', attributes: columns });
    expect(before.records).toHaveLength(1);
    const changes = columns.map((column) => `alter column ${column} type text using 'say "5"\\'`);
    await postgres().client(`alter table changing ${changes.join(', ')}`);
    for (const column of columns) {
      const { records } = await ask(engine, { model: 'changing', attributes: [column] });
      expect(records).toEqual([{ [column]: 'say "5"\\' }]);
    }
  });
});

/** Doubles or singles of every bit pattern. */
function bitPattern(bytes: 4 | 8): fc.Arbitrary<number> {
  return fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(({ buffer }) => {
    const view = new DataView(buffer);
    return bytes === 8 ? view.getFloat64(0) : view.getFloat32(0);
  });
}

function asText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function printedByJavaScript(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}

/**
 * Half-way between two doubles may lie a shorter decimal, which JavaScript takes and PostgreSQL
 * does not: see encode.ts.
 */
function sameDigits(value: number): boolean {
  return !(Math.abs(value) >= 2 ** 54 && Math.abs(value) <= 1e23);
}
