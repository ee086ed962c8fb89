import { groupDigits } from '@proj/contract';

import { largestOf } from './bars.tsx';
import type { Distribution } from './distribution.ts';

const [WIDTH, ROW, LABELS, COUNTS, HEAD] = [640, 22, 200, 110, 36];
const LONGEST_LABEL = 28;

/** The bars as an SVG file of its own, in colours that paper and any page can show. */
export function barsPicture(title: string, { bars }: Pick<Distribution, 'bars'>): string {
  const largest = largestOf(bars);
  const space = WIDTH - LABELS - COUNTS;
  const rows = bars.map(({ label, count }, index) => {
    const y = HEAD + index * ROW;
    const width = Math.round(Math.min(1, Number((count * 10_000n) / largest) / 10_000) * space);
    return (
      `<text x="${LABELS - 8}" y="${y + 15}" text-anchor="end">${escaped(cut(label))}</text>` +
      `<rect x="${LABELS}" y="${y + 3}" width="${width}" height="${ROW - 6}" fill="#4c7fe0"/>` +
      `<text x="${WIDTH - 4}" y="${y + 15}" text-anchor="end">${groupDigits(count)}</text>`
    );
  });
  const height = HEAD + bars.length * ROW + 8;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" ` +
    `height="${height}" font-family="system-ui, sans-serif" font-size="13" fill="#16191d">` +
    `<rect width="100%" height="100%" fill="#fff"/>` +
    `<text x="8" y="22" font-weight="600">${escaped(title)}</text>${rows.join('')}</svg>\n`
  );
}

function cut(label: string): string {
  const characters = Array.from(label);
  return characters.length > LONGEST_LABEL
    ? `${characters.slice(0, LONGEST_LABEL - 1).join('')}…`
    : label;
}

/** XML has no form for most control characters. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- these are what a picture cannot hold
      .replaceAll(/[\u0000-\u001f\ufffe\uffff]/g, ' ')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('"', '&quot;')
  );
}
