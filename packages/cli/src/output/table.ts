import { styleText } from 'node:util';

import stringWidth from 'string-width';

import { printable } from './printable.ts';

export interface Column {
  readonly title: string;
  /** Numbers are right-aligned, so that digits of one weight line up. */
  readonly align: 'left' | 'right';
}

/** NULL is `null`; where there are colours it looks unlike any text. */
export interface TableContent {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | null)[])[];
}

export interface TableStyle {
  readonly colour: boolean;
  /** In cells; `Infinity` cuts nothing. */
  readonly width: number;
}

const GAP = '  ';
const NARROWEST = 8;

/** No line is wider than the terminal as long as every column keeps a few cells. */
export function drawTable({ columns, rows }: TableContent, { colour, width }: TableStyle): string {
  const titles = columns.map(({ title }) => printable(title));
  const texts = rows.map((row) => row.map((cell) => (cell === null ? 'NULL' : printable(cell))));
  const widths = fit(
    columns.map((_, index) => widest([titles, ...texts], index)),
    width,
  );
  const line = (cells: readonly string[], style: (text: string, index: number) => string): string =>
    cells
      .map((cell, index) => style(padded(cell, widths[index] ?? 0, columns[index]?.align), index))
      .join(GAP)
      .trimEnd();
  const paint = painter(colour);
  const head = line(titles, (text) => paint('bold', text));
  const body = texts.map((cells, row) =>
    line(cells, (text, index) => (rows[row]?.[index] === null ? paint('dim', text) : text)),
  );
  return [head, ...body].map((text) => `${text}\n`).join('');
}

/** In cells, uncut. */
export function naturalWidth({ columns, rows }: TableContent): number {
  const texts = rows.map((row) => row.map((cell) => printable(cell ?? 'NULL')));
  const titles = columns.map(({ title }) => printable(title));
  const widths = columns.map((_, index) => widest([titles, ...texts], index));
  return widths.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1));
}

function widest(rows: readonly (readonly string[])[], index: number): number {
  return rows.reduce((most, row) => Math.max(most, stringWidth(row[index] ?? '')), 0);
}

function fit(wanted: readonly number[], width: number): number[] {
  const room = width - GAP.length * (wanted.length - 1);
  const sum = (limit: number): number =>
    wanted.reduce((total, cells) => total + Math.min(cells, limit), 0);
  let limit = Math.max(NARROWEST, ...wanted);
  while (limit > NARROWEST && sum(limit) > room) limit -= 1;
  return wanted.map((cells) => Math.min(cells, limit));
}

function padded(text: string, width: number, align: Column['align'] = 'left'): string {
  const shown = cut(text, width);
  const space = ' '.repeat(Math.max(0, width - stringWidth(shown)));
  return align === 'right' ? space + shown : shown + space;
}

const GRAPHEMES = new Intl.Segmenter();

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let shown = '';
  let used = 1;
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    shown += segment;
  }
  return `${shown}…`;
}

/** Which records of a list a table shows. */
export interface Place {
  /** Number of the first one. */
  readonly first: bigint;
  readonly item: 'record' | 'group';
}

export interface RecordLinesStyle extends Place {
  readonly colour: boolean;
}

/** Draws each record as a block with one uncut line for each attribute. */
export function drawRecords(
  { columns, rows }: TableContent,
  { colour, first, item }: RecordLinesStyle,
): string {
  const paint = painter(colour);
  const titles = columns.map(({ title }) => printable(title));
  const width = Math.max(...titles.map((title) => stringWidth(title)));
  const blocks = rows.map((row, index) => {
    const lines = row.map((cell, column) => {
      const title = titles[column] ?? '';
      const space = ' '.repeat(width - stringWidth(title) + 2);
      return title + space + (cell === null ? paint('dim', 'NULL') : printable(cell));
    });
    return [paint('bold', `${item} ${first + BigInt(index)}`), ...lines, ''];
  });
  return blocks.flatMap((lines) => lines.map((line) => `${line}\n`)).join('');
}

function painter(colour: boolean): (format: 'bold' | 'dim', text: string) => string {
  return (format, text) => (colour ? styleText(format, text, { validateStream: false }) : text);
}
