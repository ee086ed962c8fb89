import type { AttributeEntry } from '@proj/client';

import { type Output, put, takesColour, type Terminal } from '../terminal/terminal.ts';
import { printableLines } from './printable.ts';
import {
  type Column,
  drawRecords,
  drawTable,
  naturalWidth,
  type Place,
  type TableContent,
} from './table.ts';

/** JSON on request, or when the output is no terminal. */
export function wantsJson(
  { json = false }: { readonly json?: boolean },
  { stdout }: Terminal,
): boolean {
  return json || stdout.isTTY !== true;
}

export async function putJson({ stdout }: Terminal, text: string): Promise<void> {
  await putText(stdout, `${text}\n`);
}

/** On a terminal, escapes everything that the terminal would obey. */
export async function putText(output: Output, text: string): Promise<void> {
  await put(output, output.isTTY === true ? printableLines(text) : text);
}

/**
 * Prints a table as wide as the terminal.
 *
 * @param place Records wider than the terminal are printed one attribute a line; in tables without
 *   it the widest columns are cut.
 */
export async function putTable(
  { stdout, env }: Terminal,
  content: TableContent,
  place?: Place,
): Promise<void> {
  const style = { colour: takesColour(stdout, env), width: stdout.columns || 80 };
  const isTooWide = place !== undefined && naturalWidth(content) > style.width;
  await put(
    stdout,
    isTooWide ? drawRecords(content, { ...style, ...place }) : drawTable(content, style),
  );
}

const NUMBERS = new Set(['int32', 'int64', 'decimal', 'float64']);

export function columnOf({ name, type }: AttributeEntry): Column {
  return { title: name, align: NUMBERS.has(type) ? 'right' : 'left' };
}
