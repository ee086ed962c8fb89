import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';

import { describe, expect, it } from 'vitest';

import { temporaryDatabase } from './helper.ts';
import { ask, filesWalked, startRecorded } from './walk/walked-files.ts';

/** A row of the table: a file, and the files that work with it, as patterns. */
interface Row {
  readonly file: string;
  readonly others: readonly string[];
}

/** More files than these, nobody reads in a sitting. */
const MOST_ROWS = 12;

const PAGE = new URL('../../../docs/internals/architecture.md', import.meta.url);

/**
 * The rows of the table under a heading. Other files are named from the `src` of the same package,
 * or from the root of the repository; a folder stands for the files in it.
 */
function rowsUnder(heading: string): Row[] {
  const [, section = ''] = readFileSync(PAGE, 'utf8').split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) => {
    const [, first = '', , others = ''] = row.split('|');
    const [file = ''] = namesIn(first);
    const [source = ''] = /^.*?\/src\//.exec(file) ?? [];
    const fromRoot = (name: string) => (/^(apps|packages)\//.test(name) ? name : source + name);
    return { file, others: namesIn(others).map(fromRoot) };
  });
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/\/$/, '/**'));
}

function request(value: number): object {
  return {
    query_model: 'cities',
    query_attributes: ['name', 'population'],
    query_filter: { attribute: 'population', op: 'gte', value: String(value) },
    query_sort: [{ attribute: 'name' }],
    page: { page: 1, size: 2 },
  };
}

describe('the table of one request in docs/internals/architecture.md', () => {
  const rows = rowsUnder('One request, in order');

  it('names the files that run from the arrival of page 1 of a new list to its reply, and no other', async () => {
    const { file, directory } = temporaryDatabase();
    const recorded = await startRecorded(file, directory);
    // Warm: connections are open, and what is loaded or kept once is.
    for (const value of [1, 2, 3, 4, 5]) await ask(recorded, request(value));
    const walked = await filesWalked(recorded, [6, 7, 8].map(request));
    const names = rows.flatMap((row) => [row.file, ...row.others]);
    expect({
      missing: walked.filter((path) => !names.some((name) => matchesGlob(path, name))),
      stale: names.filter((name) => !walked.some((path) => matchesGlob(path, name))),
    }).toEqual({ missing: [], stale: [] });
    // A service whose calls are counted is slow.
  }, 120_000);

  it(`has at most ${MOST_ROWS} rows, which lead to all others`, () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(MOST_ROWS);
  });
});
