import stringWidth from 'string-width';
import { expect, it } from 'vitest';

import { printable } from './printable.ts';
import { drawTable } from './table.ts';

const COLUMNS = [
  { title: 'name', align: 'left' },
  { title: 'population', align: 'right' },
] as const;

it('puts texts at the left, numbers at the right, and counts wide letters as two cells', () => {
  const rows = [
    ['東京', '37400068'],
    ['Zürich', null],
  ];
  expect(drawTable({ columns: COLUMNS, rows }, { colour: false, width: 80 })).toBe(
    ['name    population', '東京      37400068', 'Zürich        NULL', ''].join('\n'),
  );
});

it('cuts the widest columns so that no line is wider than the terminal', () => {
  const rows = [
    ['東'.repeat(40), '1'],
    ['👩‍👩‍👧'.repeat(30), '123456'],
  ];
  for (const width of [20, 30, 41]) {
    const lines = drawTable({ columns: COLUMNS, rows }, { colour: false, width }).split('\n');
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    expect(lines[1]).toContain('…');
    expect(lines[2]).toContain('123456');
  }
});

it('lets no control, no escape sequence and no turn of direction through to the terminal', () => {
  const evil = 'a\u001b]0;title\u0007\u009b31m\r\n\t\u202e\u2066\u0000\u007f';
  const table = drawTable(
    { columns: [{ title: evil, align: 'left' }], rows: [[evil]] },
    { colour: false, width: 200 },
  );
  expect(table.replaceAll('\n', '')).not.toMatch(
    // oxlint-disable-next-line eslint/no-control-regex -- they are what must not be there
    /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
  );
  expect(printable('a\u001b\n')).toBe(String.raw`a\u{1b}\n`);
});

it('makes the head bold and NULL dim where there are colours', () => {
  const table = drawTable(
    { columns: [{ title: 'x', align: 'left' }], rows: [[null], ['NULL']] },
    { colour: true, width: 80 },
  );
  expect(table).toBe('\u001b[1mx   \u001b[22m\n\u001b[2mNULL\u001b[22m\nNULL\n');
});
