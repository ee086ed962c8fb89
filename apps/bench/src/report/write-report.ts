import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { renderReport } from './markdown.ts';
import { proseOf } from './prose.ts';
import { rawTables } from './raw-tables.ts';
import type { Results } from './results.ts';
import { trialTable } from './trial-table.ts';

/**
 * Writes `performance.md` into a folder, keeping the prose that the page has, and the tables
 * into the folder `performance` beside it.
 *
 * @returns the path of the page
 */
export async function writeReport(results: Results, folder: string): Promise<string> {
  const file = join(folder, 'performance.md');
  const before = await readFile(file, 'utf8').catch(() => '');
  const beside = join(folder, 'performance');
  await mkdir(beside, { recursive: true });
  await writeFile(file, renderReport(results, proseOf(before)));
  for (const { name, text } of rawTables(results)) await writeFile(join(beside, name), text);
  return file;
}

/**
 * Writes the page of what was read under writes alone, into the folder `performance` of a folder.
 *
 * @returns the path of the page
 */
export async function writeTrials({ trials }: Results, folder: string): Promise<string> {
  const beside = join(folder, 'performance');
  await mkdir(beside, { recursive: true });
  const { name, text } = trialTable(trials);
  await writeFile(join(beside, name), text);
  return join(beside, name);
}
