/**
 * A table as the formatter writes it, so that a generated document passes its check.
 *
 * @param textColumns so many columns at the left hold text; the others hold numbers
 */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  textColumns = 1,
): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const pad = (cell: string, column: number): string => {
    const width = widths[column] ?? 0;
    return column < textColumns ? cell.padEnd(width) : cell.padStart(width);
  };
  const line = (cells: readonly string[]): string => `| ${cells.map(pad).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column < textColumns ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
