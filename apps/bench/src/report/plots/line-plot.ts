import { type SubjectName, SUBJECT_LABELS, SUBJECTS } from '../../subjects/subject.ts';
import { type LogScale, logScale, tickLabel } from './log-scale.ts';
import { COLOURS, escapeXml, STYLE } from './palette.ts';

/** A subject's value at each length of the table. */
export interface Line {
  readonly subject: SubjectName;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** The lines of one database and depth. */
export interface LinePanel {
  readonly title: string;
  readonly lines: readonly Line[];
}

const COLUMNS = 3;
const CELL = { width: 300, height: 220, left: 52, right: 26, top: 34, bottom: 34 };
const HEAD = 56;

/**
 * Small plots side by side with the same scales, both of them logarithmic: a flat line does not
 * grow with the table.
 */
export function linePlot(title: string, panels: readonly LinePanel[]): string {
  const points = panels.flatMap(({ lines }) => lines.flatMap((line) => line.points));
  const scales = {
    x: logScale(
      points.map(({ x }) => x),
      [CELL.left, CELL.width - CELL.right],
    ),
    y: logScale(
      points.map(({ y }) => y),
      [CELL.height - CELL.bottom, CELL.top],
    ),
  };
  const height = HEAD + Math.ceil(panels.length / COLUMNS) * CELL.height;
  const cells = panels.map((panel, index) => {
    const place =
      `translate(${(index % COLUMNS) * CELL.width} ` +
      `${HEAD + Math.floor(index / COLUMNS) * CELL.height})`;
    return `<g transform="${place}">${panelSvg(panel, scales)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${COLUMNS * CELL.width} ` +
      `${height}" role="img" aria-label="${escapeXml(title)}">`,
    STYLE,
    `<text class="title" x="16" y="22">${escapeXml(title)}</text>`,
    legend(),
    ...cells,
    '</svg>\n',
  ].join('\n');
}

/** The names of the subjects beside their colours. */
function legend(): string {
  const y = 42;
  return SUBJECTS.map((subject, index) => {
    const x = 22 + index * 165;
    return (
      `<circle cx="${x}" cy="${y - 4}" r="5" fill="${COLOURS[subject]}"/>` +
      `<text x="${x + 10}" y="${y}">${escapeXml(SUBJECT_LABELS[subject])}</text>`
    );
  }).join('');
}

interface Scales {
  readonly x: LogScale;
  readonly y: LogScale;
}

function panelSvg({ title, lines }: LinePanel, { x, y }: Scales): string {
  const right = CELL.width - CELL.right;
  const bottom = CELL.height - CELL.bottom;
  const rows = y.ticks.map((tick) => {
    const place = round(y.at(tick));
    return (
      `<line class="grid" x1="${CELL.left}" x2="${right}" y1="${place}" y2="${place}"/>` +
      `<text class="faint" x="${CELL.left - 6}" y="${place + 4}" ` +
      `text-anchor="end">${tickLabel(tick)}</text>`
    );
  });
  const columns = x.ticks.map((tick) => {
    const exponent = Math.round(Math.log10(tick));
    return (
      `<text class="faint" x="${round(x.at(tick))}" y="${bottom + 18}" ` +
      `text-anchor="middle">10^${exponent}</text>`
    );
  });
  const drawn = SUBJECTS.toReversed().flatMap((subject) =>
    lines.filter((line) => line.subject === subject),
  );
  const heading = `<text class="title" x="${CELL.left}" y="22">${escapeXml(title)}</text>`;
  return [heading, ...rows, ...columns, ...drawn.map((line) => lineSvg(line, { x, y }))].join('\n');
}

function lineSvg({ subject, points }: Line, { x, y }: Scales): string {
  const places = points.map((point) => [round(x.at(point.x)), round(y.at(point.y))] as const);
  const path = places.map(([left, top]) => `${left},${top}`).join(' ');
  const dots = places.map(
    ([left, top]) => `<circle cx="${left}" cy="${top}" r="4" fill="${COLOURS[subject]}"/>`,
  );
  return (
    `<polyline points="${path}" fill="none" stroke="${COLOURS[subject]}" ` +
    `stroke-width="2"/>${dots.join('')}`
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
