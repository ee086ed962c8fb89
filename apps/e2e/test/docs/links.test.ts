import { existsSync, globSync, readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { ROOT } from './document.ts';

const PAGES = ['*.md', 'docs/**/*.md', '{packages,apps}/*/{README,CONTRIBUTING}.md'].flatMap(
  (pattern) => globSync(pattern, { cwd: ROOT }),
);

function read(page: string): string {
  return readFileSync(new URL(page, ROOT), 'utf8');
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchors(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Where a link of a page leads, when that is not there. */
function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? new URL(page, ROOT) : new URL(path, new URL(page, ROOT));
  if (!existsSync(target)) return true;
  return anchor !== undefined && !anchors(target.href.replace(ROOT.href, '')).includes(anchor);
}

it.each(PAGES)('%s links only to pages, headings and files that exist', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(
    ([, link = '']) => link,
  );
  expect(links.filter((link) => isBroken(page, link))).toEqual([]);
});

it.each([
  'docs/internals/architecture.md',
  'SECURITY.md',
  ...globSync('{,packages/*/,apps/*/}CONTRIBUTING.md', { cwd: ROOT }),
])('%s names only files of the repository that exist', (page) => {
  const paths = [...read(page).matchAll(/`((?:packages|apps|scripts|docs)\/[\w./-]+)`/g)];
  const missing = paths.filter(([, path = '']) => !existsSync(new URL(path, ROOT)));
  expect(missing.map(([, path]) => path)).toEqual([]);
});

it('the index of the documentation leads to every page', () => {
  const index = read('docs/README.md');
  const pages = PAGES.filter((page) => /^docs\/(?!performance\/|README)/.test(page));
  expect(pages.filter((page) => !index.includes(`(${page.replace('docs/', '')})`))).toEqual([]);
});
