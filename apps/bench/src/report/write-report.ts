import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { renderReport } from './markdown.ts';
import { plotsOf } from './plots.ts';
import { proseOf } from './prose.ts';
import type { Results } from './results.ts';

/**
 * Writes `performance.md` and its plots into a folder, keeping the prose that the document has, and
 * gives the document's path.
 */
export async function writeReport(results: Results, folder: string): Promise<string> {
  const file = join(folder, 'performance.md');
  const before = await readFile(file, 'utf8').catch(() => '');
  await mkdir(join(folder, 'performance'), { recursive: true });
  await writeFile(file, renderReport(results, proseOf(before)));
  for (const { name, svg } of plotsOf(results))
    await writeFile(join(folder, 'performance', name), svg);
  return file;
}
