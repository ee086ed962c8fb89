/**
 * Three digits that count, as people read them: `16,400`, `3.21`, `0.0457`; a dash where there is
 * no number.
 */
export function formatNumber(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '–';
  if (value >= 100) return Number(value.toPrecision(3)).toLocaleString('en-US');
  return value === 0 ? '0' : value.toPrecision(3);
}

/** `2.41×`, or a dash. */
export function formatRatio(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '–' : `${formatNumber(value)}×`;
}

/** A quotient where both numbers are there. */
export function ratio(value: number | undefined, by: number | undefined): number | undefined {
  return value === undefined || by === undefined || by === 0 ? undefined : value / by;
}

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

/** A page of figures in the folder `performance`, which leads back to the report. */
export interface FiguresPage {
  /** Its file name. */
  readonly name: string;
  readonly title: string;
  /** The whole page, as Markdown. */
  readonly text: string;
}

export function figuresPage(name: string, title: string, parts: readonly string[]): FiguresPage {
  const back = 'What these figures say, and how they were taken: [performance](../performance.md).';
  return { name, title, text: `${[`# ${title}`, back, ...parts].join('\n\n')}\n` };
}
