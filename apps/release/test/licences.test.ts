import { expect, it } from 'vitest';

import { run } from './repository.ts';

/** Licences that ask for no more than to be named where a package is handed on. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Zlib',
  '0BSD',
  'Unlicense',
]);

it('lets only packages under permissive licences reach the production dependencies', () => {
  const licences = productionLicences();
  expect(Object.keys(licences)).toContain('MIT');
  const refused = Object.entries(licences).filter(([licence]) => !isAllowed(licence));
  expect(Object.fromEntries(refused)).toEqual({});
});

/** The names of all packages that the workspace needs to run, by licence. */
function productionLicences(): Record<string, string[]> {
  const printed = run('pnpm', ['licenses', 'list', '--json', '--prod']);
  const listed = JSON.parse(printed) as Record<string, { name: string }[]>;
  return Object.fromEntries(
    Object.entries(listed).map(([licence, packages]) => [
      licence,
      packages.map(({ name }) => name),
    ]),
  );
}

/** Whether each licence of an SPDX expression is allowed, those it lets one choose from too. */
function isAllowed(expression: string): boolean {
  return expression
    .split(/\s+(?:AND|OR)\s+|[()]/)
    .filter((licence) => licence !== '')
    .every((licence) => ALLOWED.has(licence));
}
