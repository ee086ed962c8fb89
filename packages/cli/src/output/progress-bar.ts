import { groupDigits } from '@proj/contract';

import type { Output } from '../terminal/terminal.ts';

export interface Progress {
  readonly read: number;
  /** As of the newest reply; null where it is not known. */
  readonly total: bigint | null;
}

/** A line of the terminal, redrawn in place. */
export interface ProgressBar {
  update(progress: Progress): void;
  clear(): void;
}

const WIDEST_BAR = 24;
/** A shorter bar says less than the percentage beside it. */
const NARROWEST_BAR = 4;
const REDRAW_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

const SILENT: ProgressBar = { update: () => undefined, clear: () => undefined };

/** Does nothing where the output is no terminal. */
export function progressBar(output: Output, { quiet }: { readonly quiet: boolean }): ProgressBar {
  if (quiet || output.isTTY !== true) return SILENT;
  let drawnAt = -Infinity;
  return {
    update: (progress) => {
      const now = performance.now();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      // In the last column some terminals wrap.
      output.write(CLEAR_LINE + drawProgress(progress, (output.columns || 80) - 1));
    },
    clear: () => void output.write(CLEAR_LINE),
  };
}

/** `[######                  ]  25% 25,000 of 100,000 records`, or as much of it as fits. */
export function drawProgress({ read, total }: Progress, width: number): string {
  if (total === null) return `${groupDigits(read)} records`.slice(0, Math.max(0, width));
  const share = total === 0n ? 1 : Math.min(1, read / Number(total));
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const counts = `${groupDigits(read)} of ${groupDigits(total)}`;
  const texts = [`${percent} ${counts} records`, `${percent} ${counts}`, percent];
  const text = texts.find(({ length }) => length <= width) ?? '';
  // Two brackets and a space.
  const cells = Math.min(WIDEST_BAR, width - text.length - 3);
  return cells < NARROWEST_BAR
    ? text
    : `[${'#'.repeat(Math.floor(share * cells)).padEnd(cells)}] ${text}`;
}
