import { styleText } from 'node:util';

import stringWidth from 'string-width';

import { printable } from './printable.ts';
import type { TableContent } from './table.ts';

export interface RecordLinesStyle {
  readonly colour: boolean;
  readonly first: bigint;
}

/** Draws each record as a block with one uncut line for each attribute. */
export function drawRecords(
  { columns, rows }: TableContent,
  { colour, first }: RecordLinesStyle,
): string {
  const paint = (format: 'bold' | 'dim', text: string): string =>
    colour ? styleText(format, text, { validateStream: false }) : text;
  const titles = columns.map(({ title }) => printable(title));
  const width = Math.max(...titles.map((title) => stringWidth(title)));
  const blocks = rows.map((row, index) => {
    const lines = row.map((cell, column) => {
      const title = titles[column] ?? '';
      const space = ' '.repeat(width - stringWidth(title) + 2);
      return title + space + (cell === null ? paint('dim', 'NULL') : printable(cell));
    });
    return [paint('bold', `record ${first + BigInt(index)}`), ...lines, ''];
  });
  return blocks.flatMap((lines) => lines.map((line) => `${line}\n`)).join('');
}
