import { expect, it } from 'vitest';

import { csvWriter, isCsvNull } from './csv.ts';
import { WIRE_TYPES } from '../wire-types.ts';

const TEXT = [{ name: 'note', type: 'text' }];

/** The field of one value in a column of a type. */
function guardedField(value: string, type: string): string {
  return csvWriter([{ name: 'a', type }], { guardFormulas: true }).line([value]);
}

it('writes CSV of RFC 4180 in which NULL differs from the empty text', () => {
  const columns = [
    { name: 'id', type: 'int64' },
    { name: 'a "b"', type: 'text' },
    { name: 'tags', type: 'json' },
  ];
  const { head, line } = csvWriter(columns);
  expect(head).toBe('id,"a ""b""",tags\r\n');
  expect(line(['9223372036854775807', '', null])).toBe('9223372036854775807,"",\r\n');
  expect(line(['-1', 'a,"b"', '{"x":1}'])).toBe('-1,"a,""b""","{""x"":1}"\r\n');
  expect(line([null, 'a\nb', 'a\rb'])).toBe(',"a\nb","a\rb"\r\n');
});

it('writes NULL as the option says, and quotes a text that looks the same', () => {
  const { line } = csvWriter(TEXT, { null: String.raw`\N` });
  expect([line([null]), line([String.raw`\N`]), line([''])]).toEqual([
    '\\N\r\n',
    '"\\N"\r\n',
    '""\r\n',
  ]);
});

it.each(['a,b', '"', 'a\nb', '\r'])('says that %j cannot stand for NULL', (text) => {
  expect(isCsvNull(text)).toBe(false);
});

it.each(['', String.raw`\N`, 'NULL'])('says that %j can stand for NULL', (text) => {
  expect(isCsvNull(text)).toBe(true);
});

const FORMULAS = [
  '=1+1',
  '+a',
  '-cmd',
  '@x',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1',
  '+41791234567',
  '-1-1',
  '=HYPERLINK("x")',
];

it.each(FORMULAS)('leaves the text %j as it is unless guarding is asked for', (text) => {
  expect(csvWriter(TEXT).line([text])).not.toContain("'");
});

it.each(FORMULAS)('puts an apostrophe before the text %j when guarding is asked for', (text) => {
  expect(guardedField(text, 'text')).toMatch(/^"?'/);
});

it.each(['-5', '-1.50', '-1e5', 'a=1', "'x", ' =1'])(
  'leaves the text %j as it is, which is no formula',
  (text) => {
    expect(guardedField(text, 'text')).toBe(`${text}\r\n`);
  },
);

it.each([
  ['a;=1+1', "a;'=1+1"],
  ['a|@x', "a|'@x"],
  ['a\t-cmd', "a\t'-cmd"],
  ['a\n+b\r=c', `"a\n'+b\r'=c"`],
  ['a;"=1+1', `"a;""'=1+1"`],
  ['=1;=2', "'=1;'=2"],
  ['a;＝1', "a;'＝1"],
  ['5;-3;-2.5', '5;-3;-2.5'],
  ['5;-3+x', "5;'-3+x"],
  ['a,=1', '"a,=1"'],
])('guards the text %j where a reader with another separator begins a cell', (text, field) => {
  expect(guardedField(text, 'text')).toBe(`${field}\r\n`);
});

it('guards free text only: no value of another type changes', () => {
  const types = Object.keys(WIRE_TYPES);
  const guarded = types.filter((type) => guardedField('-x', type) !== '-x\r\n');
  expect(guarded).toEqual(['text', 'enum', 'json', 'array', 'any', 'other']);
  for (const [type, value] of [
    ['float64', '-Infinity'],
    ['decimal', '-12.50'],
    ['date', '-0044-03-15'],
    ['time', '-838:59:59'],
    ['bytes', '+a=='],
  ] as const) {
    expect(guardedField(value, type)).toBe(`${value}\r\n`);
  }
});

it('treats a type of a newer service as free text, and guards the names of columns', () => {
  expect(guardedField('=1', 'geometry')).toBe("'=1\r\n");
  expect(csvWriter([{ name: '=1', type: 'int32' }], { guardFormulas: true }).head).toBe("'=1\r\n");
});
