import { describe, expect, it } from 'vitest';

import { progressBar, type ProgressStream } from './progress-bar.ts';

describe('a progress bar on a terminal', () => {
  it('draws itself over and ends with a new line', () => {
    const { stream, written } = recorder({ isTTY: true, columns: 80 });
    const bar = progressBar('Building', stream);
    for (const done of [0, 0.5, 1]) bar(done);
    expect(written).toEqual([
      `\rBuilding [${' '.repeat(30)}] 0%`,
      `\rBuilding [${'#'.repeat(15)}${' '.repeat(15)}] 50%`,
      `\rBuilding [${'#'.repeat(30)}] 100%\n`,
    ]);
  });

  it('draws only what would look different', () => {
    const { stream, written } = recorder({ isTTY: true });
    const bar = progressBar('Building', stream);
    for (const done of [0.501, 0.502, 0.503]) bar(done);
    expect(written).toHaveLength(1);
  });

  it.each([10, 25, 40])('stays on one line of %i columns as long as the label does', (columns) => {
    const { stream, written } = recorder({ isTTY: true, columns });
    progressBar('', stream)(1);
    expect(written.join('').trim().length).toBeLessThan(columns);
  });
});

describe('a progress bar elsewhere', () => {
  it('writes one line at the beginning and one at the end', () => {
    const { stream, written } = recorder({});
    const bar = progressBar('Building', stream);
    for (const done of [0, 0.25, 0.5, 0.75, 1]) bar(done);
    expect(written).toEqual(['Building …\n', 'Building: done\n']);
  });

  it('writes nothing when nothing is done', () => {
    const { stream, written } = recorder({});
    progressBar('Building', stream);
    expect(written).toEqual([]);
  });
});

function recorder(terminal: Pick<ProgressStream, 'isTTY' | 'columns'>) {
  const written: string[] = [];
  const stream: ProgressStream = { ...terminal, write: (text) => written.push(text) };
  return { stream, written };
}
