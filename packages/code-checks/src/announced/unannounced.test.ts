import { expect, it } from 'vitest';

import { type ChangedFile, unannounced } from './unannounced.ts';

const REPORT: ChangedFile = { path: 'packages/client/etc/client.api.md', text: '' };
const CHANGESET: ChangedFile = {
  path: '.changeset/new-things.md',
  text: `---\n'@proj/client': minor\n"@proj/cli": patch\n---\n\n'@proj/engine': not a name.\n`,
};

it('finds a changed report of a package that no changeset names', () => {
  const engine = { path: 'packages/engine/etc/engine.api.md' };
  expect(unannounced([REPORT, engine, CHANGESET], '@proj')).toEqual([engine.path]);
  expect(unannounced([REPORT, { path: 'packages/client/src/index.ts' }], '@proj')).toEqual([
    REPORT.path,
  ]);
});

it('finds nothing where each changed report is announced, or none is changed', () => {
  expect(unannounced([REPORT, CHANGESET], '@proj')).toEqual([]);
  expect(unannounced([{ path: 'packages/client/src/index.ts' }], '@proj')).toEqual([]);
});

it('lets a release pass, which uses its changesets up', () => {
  const { path } = CHANGESET;
  expect(unannounced([REPORT, { path }], '@proj')).toEqual([]);
});
