import type { Engine } from '@proj/engine';
import { beforeAll, expect, it } from 'vitest';

import { ask, open } from '../open.ts';
import { unsaidValues } from '../says-type.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';

/**
 * Column type, value as SQL, JSON text of the value on the wire, and the wire type where it is not
 * plain from the case before.
 */
const CASES: readonly (readonly [column: string, literal: string, json: string])[] = [
  ['tinyint(1)', '2', '"2"'],
  ['tinyint(1)', '-128', '"-128"'],
  ['bit(1)', "b'1'", 'true'],
  ['bit(1)', "b'0'", 'false'],
  ['bit(5)', "b'101'", '"00101"'],
  ['bit(64)', "b'1'", `"${'1'.padStart(64, '0')}"`],
  ['tinyint', '-128', '-128'],
  ['tinyint unsigned', '255', '255'],
  ['tinyint(1) unsigned', '1', '1'],
  ['smallint', '-32768', '-32768'],
  ['smallint unsigned', '65535', '65535'],
  ['mediumint', '-8388608', '-8388608'],
  ['mediumint unsigned', '16777215', '16777215'],
  ['int(5) zerofill', '7', '"7"'],
  ['int unsigned', '4294967295', '"4294967295"'],
  ['year', '1901', '1901'],
  ['year', '0', '0'],
  ['bigint unsigned', '18446744073709551615', '"18446744073709551615"'],
  [
    'decimal(65, 30)',
    `${'9'.repeat(35)}.${'9'.repeat(30)}`,
    `"${'9'.repeat(35)}.${'9'.repeat(30)}"`,
  ],
  ['decimal(10, 2) zerofill', '12.5', '"12.50"'],
  ['decimal(10, 2) zerofill', '0', '"0.00"'],
  ['float', '0.1', '0.1'],
  ['float', '16777216', '16777216'],
  ['float', '3.4028234663852886e38', '3.4028235e+38'],
  ['float', '1.401298464324817e-45', '1e-45'],
  ['float', '1.5', '1.5'],
  ['date', "'0000-00-00'", '"0000-00-00"'],
  ['date', "'2024-02-00'", '"2024-02-00"'],
  ['time', "'838:59:59'", '"838:59:59"'],
  ['time', "'-838:59:59'", '"-838:59:59"'],
  ['time(6)', "'00:00:00.000001'", '"00:00:00.000001"'],
  ['time(6)', "'-00:00:00.5'", '"-00:00:00.5"'],
  ['time(6)', "'00:00:00'", '"00:00:00"'],
  ['time(3)', "'100:00:00.120'", '"100:00:00.12"'],
  ['datetime', "'2026-01-31 23:59:59'", '"2026-01-31T23:59:59"'],
  ['datetime', "'2026-01-30 00:00:00'", '"2026-01-30T00:00:00"'],
  ['datetime(6)', "'0001-01-01 00:00:00.100000'", '"0001-01-01T00:00:00.1"'],
  ['datetime(6)', "'2026-01-31 10:00:00.000000'", '"2026-01-31T10:00:00"'],
  ['datetime(3)', "'2026-01-31 10:00:00.050'", '"2026-01-31T10:00:00.05"'],
  ['datetime', "'0000-00-00 00:00:00'", '"0000-00-00 00:00:00"'],
  ['datetime', "'2024-00-01 10:00:00'", '"2024-00-01 10:00:00"'],
  ['timestamp', "'2026-01-31 23:59:59'", '"2026-01-31T22:59:59Z"'],
  ['timestamp(6)', "'1970-01-01 01:00:00.000001'", '"1970-01-01T00:00:00.000001Z"'],
  ['timestamp(6)', "'2026-07-01 10:00:00.500000'", '"2026-07-01T09:00:00.5Z"'],
  ['timestamp', "'0000-00-00 00:00:00'", '"0000-00-00 00:00:00"'],
  ['binary(4)', "x'0a'", '"CgAAAA=="'],
  ['varbinary(10)', "x'00ff'", '"AP8="'],
  ['longtext', "repeat('é', 600000)", JSON.stringify('é'.repeat(600_000))],
  ['varchar(20) character set latin1', "'Zürich €'", '"Zürich €"'],
  ['varchar(20) character set ucs2', "'Zürich'", '"Zürich"'],
  ['char(5)', "'ab  '", '"ab"'],
  ['varchar(5)', "'ab  '", '"ab  "'],
  ['text', "convert(x'00' using utf8mb4)", '"\\u0000"'],
  ["enum('open', 'clösed')", "'clösed'", '"clösed"'],
  ["set('a', 'b', 'c')", "'c,a'", '"a,c"'],
  ['inet6', "'2001:db8::1'", '"2001:db8::1"'],
  ['inet4', "'192.0.2.1'", '"192.0.2.1"'],
  [
    'json',
    `'{"a": [1, 2.50, 12345678901234567890.10, 1e400], "b c": " x  \\\\" ", "a": null}'`,
    '{"a":[1,2.50,12345678901234567890.10,1e400],"b c":" x  \\" ","a":null}',
  ],
  ['json', "' 1 '", '1'],
  ['json', `'"\\\\\\\\"'`, '"\\\\"'],
  ['json', "'1.'", '"1."'],
  ['json', "'null'", 'null'],
  ['longtext check (length(`c`) > 0)', `'{"a": 1}'`, '"{\\"a\\": 1}"'],
  ['point', "st_geomfromtext('POINT(1 2.5)')", '"POINT(1 2.5)"'],
  ['geometry', "st_geomfromtext('LINESTRING(0 0,1 1)')", '"LINESTRING(0 0,1 1)"'],
  ['int', 'null', 'null'],
  ['json', 'null', 'null'],
];

/** Doubles of every size within the range of a 32-bit float, from random bit patterns. */
const NUMBERS = Array.from({ length: 2000 }, () => {
  const [mantissa, exponent, sign] = [
    Math.random() + 1,
    Math.floor(Math.random() * 250) - 125,
    Math.random() < 0.5 ? -1 : 1,
  ];
  return sign * mantissa * 2 ** exponent;
});

function setUp(): string {
  const columns = CASES.map(([column], index) => `c${index} ${column.replace('`c`', `c${index}`)}`);
  const values = CASES.map(([, literal]) => literal);
  return `set time_zone = '+01:00', sql_mode = 'ALLOW_INVALID_DATES';
    create table golden (id int primary key, ${columns.join(', ')}) row_format = dynamic character set utf8mb4;
    insert into golden values (1, ${values.join(', ')});
    create table numbers (id int primary key, single float, whole double);
    insert into numbers values ${NUMBERS.map((number, id) => `(${id}, ${Math.fround(number)}, ${number})`).join(', ')};
    create table changing (id int primary key, value int);
    insert into changing values (1, 5);`;
}

describeMariadb('a value from MariaDB', () => {
  const mariadb = useMariadb(setUp());
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(mariadb().url);
  });

  it.each(
    CASES.map(
      ([column, literal, json], index) => [column, literal.slice(0, 60), json, index] as const,
    ),
  )(
    'of type %s, stored as %s, keeps every digit and byte',
    async (_column, _literal, json, index) => {
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

  it('of type double reads back to the same double', async () => {
    const values = await numbers('whole');
    expect(values).toEqual(NUMBERS);
  });

  it('of type float reads back to the same float, in the fewest digits', async () => {
    const values = await numbers('single');
    expect(values.map(Math.fround)).toEqual(NUMBERS.map(Math.fround));
    expect(values.filter(hasShorter)).toEqual([]);
  });

  it('of a column that has become another type since travels as text', async () => {
    const reply = await ask(engine, { model: 'changing', attributes: ['value'] });
    expect(reply.text).toBe('[{"value":5}]');
    await mariadb().client(
      'alter table changing modify value varchar(20); update changing set value = \'say "5"\'',
    );
    const changed = await ask(engine, { model: 'changing', attributes: ['value'] });
    expect(changed.text).toBe('[{"value":"say \\"5\\""}]');
  });

  async function numbers(attribute: string): Promise<number[]> {
    const pages = [1, 2].map((page) =>
      ask(engine, { model: 'numbers', attributes: [attribute], page, size: 1000 }),
    );
    return (await Promise.all(pages)).flatMap(({ records }) =>
      records.map((record) => record[attribute] as number),
    );
  }
});

/** Whether a decimal of one digit less would read back to the same float. */
function hasShorter(value: number): boolean {
  const digits = String(value)
    .replace(/e.*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '').length;
  return digits > 1 && Math.fround(Number(value.toPrecision(digits - 1))) === Math.fround(value);
}
