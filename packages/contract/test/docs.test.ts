import { readFileSync, writeFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { problemSchema } from '../src/index.ts';
import { madeParts, PART_NAMES, withMadeParts } from './contract-page.ts';
import { operatorsPage, problemsPage, typesPage } from './docs-pages.ts';

const pages = [
  { name: 'problems.md', made: problemsPage() },
  { name: 'types.md', made: typesPage() },
  { name: 'operators.md', made: operatorsPage() },
];

describe('a page of the documentation', () => {
  it.each(pages)('$name is what its table says; UPDATE_DOCS=1 rewrites it', ({ name, made }) => {
    const file = new URL(`../../../docs/reference/${name}`, import.meta.url);
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, made);
    expect(readFileSync(file, 'utf8')).toBe(made);
  });

  it('shows a problem document that its schema accepts as it is', () => {
    const shown: unknown = JSON.parse(/^```json\n(.*?)^```$/ms.exec(problemsPage())?.[1] ?? 'null');
    expect(problemSchema.parse(shown)).toStrictEqual(shown);
  });

  it('has the tables of the code in docs/reference/contract.md; UPDATE_DOCS=1 rewrites them', () => {
    const file = new URL('../../../docs/reference/contract.md', import.meta.url);
    const page = readFileSync(file, 'utf8');
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, withMadeParts(page));
    expect(readFileSync(file, 'utf8')).toBe(withMadeParts(page));
    expect(madeParts(page)).toEqual(PART_NAMES);
  });
});
