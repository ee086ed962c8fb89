import { type SubjectName, SUBJECT_LABELS, SUBJECTS } from '../../subjects/subject.ts';
import { type LogScale, logScale, tickLabel } from './log-scale.ts';
import { COLOURS, escapeXml, STYLE } from './palette.ts';

/** A line of dots, one for each subject. */
export interface DotRow {
  readonly label: string;
  readonly values: Partial<Record<SubjectName, number | undefined>>;
}

/** The rows of one database. */
export interface DotPanel {
  readonly title: string;
  readonly rows: readonly DotRow[];
}

const WIDTH = 940;
const LEFT = 400;
const RIGHT = 30;
const ROW = 18;
const HEAD = 56;
const PANEL_HEAD = 44;

/** Dots on a logarithmic scale; bars would have no honest beginning on one. */
export function dotPlot(title: string, unit: string, panels: readonly DotPanel[]): string {
  const values = panels.flatMap(({ rows }) => rows.flatMap((row) => numbersOf(row)));
  const scale = logScale(values, [LEFT, WIDTH - RIGHT]);
  let top = HEAD;
  const parts = panels.map((panel) => {
    const part = panelSvg(panel, { scale, top });
    top += PANEL_HEAD + panel.rows.length * ROW;
    return part;
  });
  const height = top + 16;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" ` +
      `aria-label="${escapeXml(title)}">`,
    STYLE,
    `<text class="title" x="16" y="22">${escapeXml(title)} (${escapeXml(unit)})</text>`,
    legend(),
    ...parts,
    '</svg>\n',
  ].join('\n');
}

/** The names of the subjects beside their colours. */
export function legend(y = 42): string {
  return SUBJECTS.map((subject, index) => {
    const x = 22 + index * 165;
    return (
      `<circle cx="${x}" cy="${y - 4}" r="5" fill="${COLOURS[subject]}"/>` +
      `<text x="${x + 10}" y="${y}">${escapeXml(SUBJECT_LABELS[subject])}</text>`
    );
  }).join('');
}

interface Place {
  readonly scale: LogScale;
  readonly top: number;
}

function panelSvg({ title, rows }: DotPanel, { scale, top }: Place): string {
  const bottom = top + PANEL_HEAD + rows.length * ROW;
  const grid = scale.ticks.map((tick) => {
    const x = round(scale.at(tick));
    return (
      `<line class="grid" x1="${x}" x2="${x}" y1="${top + PANEL_HEAD - 6}" y2="${bottom}"/>` +
      `<text class="faint" x="${x}" y="${top + PANEL_HEAD - 10}" ` +
      `text-anchor="middle">${tickLabel(tick)}</text>`
    );
  });
  const lines = rows.map((row, index) =>
    rowSvg(row, { scale, top: top + PANEL_HEAD + index * ROW + ROW / 2 }),
  );
  return [
    `<text class="title" x="16" y="${top + PANEL_HEAD - 10}">${escapeXml(title)}</text>`,
    ...grid,
    ...lines,
  ].join('\n');
}

function rowSvg(row: DotRow, { scale, top }: Place): string {
  const places = numbersOf(row).map((value) => round(scale.at(value)));
  const span =
    `<line class="span" x1="${Math.min(...places)}" x2="${Math.max(...places)}" y1="${top}" ` +
    `y2="${top}"/>`;
  // The service is drawn last, above the others.
  const dots = SUBJECTS.toReversed().map((subject) => {
    const value = row.values[subject];
    if (value === undefined || !(value > 0)) return '';
    return `<circle cx="${round(scale.at(value))}" cy="${top}" r="5" fill="${COLOURS[subject]}"/>`;
  });
  const place = `x="${LEFT - 12}" y="${top + 4}"`;
  const label = `<text ${place} text-anchor="end">${escapeXml(row.label)}</text>`;
  return [label, places.length > 0 ? span : '', ...dots].join('');
}

function numbersOf({ values }: DotRow): number[] {
  return Object.values(values).filter((value): value is number => value !== undefined && value > 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
