import { globSync, readFileSync, writeFileSync } from 'node:fs';

import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { expect, it } from 'vitest';

import { ROOT } from './document.ts';

const SOURCE = read('docs/internals/architecture.dot');
/** What only measures, tests or starts servers for tests. */
const UNSEEN = [
  '@proj/bench',
  '@proj/code-checks',
  '@proj/database-tests',
  '@proj/e2e',
  '@proj/release',
  '@proj/test-servers',
];

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

/** The solid lines of the picture: which part imports which. */
function imports(): Map<string, string[]> {
  const lines = SOURCE.matchAll(/^ *(\w+(?: -> \w+)+)(?!.*dashed)/gm);
  const pairs = Array.from(lines, ([, line = '']) => line.split(' -> ')).flatMap((parts) =>
    parts.slice(1).map((to, index) => ({ from: parts[index] ?? '', to })),
  );
  return new Map(
    [...Map.groupBy(pairs, ({ from }) => from)].map(([from, to]) => [
      from,
      to.map((pair) => pair.to),
    ]),
  );
}

/** Whatever a part reaches by imports, itself left out. */
function reachable(part: string, lines: ReadonlyMap<string, readonly string[]>): string[] {
  const next = lines.get(part) ?? [];
  return [...new Set([...next, ...next.flatMap((to) => reachable(to, lines))])];
}

/** Which packages each package imports, by its manifest; those of a bundle are development ones. */
function packageImports(): Map<string, string[]> {
  const manifests = globSync('{packages,apps}/*/package.json', { cwd: ROOT })
    .map((path) => JSON.parse(read(path)) as Manifest)
    .filter(({ name }) => !UNSEEN.includes(name));
  return new Map(
    manifests.map(({ name, dependencies, devDependencies, peerDependencies }) => [
      short(name),
      Object.keys({ ...(dependencies ?? devDependencies), ...peerDependencies })
        .filter((dependency) => dependency.startsWith('@proj/'))
        .map(short),
    ]),
  );
}

/** The name of a package as the picture has it, where a name may have no hyphen. */
function short(name: string): string {
  return name.replace('@proj/', '').replaceAll('-', '_');
}

it('docs/internals/architecture.svg is drawn from docs/internals/architecture.dot (UPDATE_DOCS=1 draws it)', async () => {
  const graphviz = await Graphviz.load();
  const file = new URL('docs/internals/architecture.svg', ROOT);
  const drawn = graphviz.dot(SOURCE).replaceAll(/<!--.*?-->\n/gs, '');
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, drawn);
  expect(readFileSync(file, 'utf8')).toBe(drawn);
});

it('the architecture picture shows the dependencies between packages, and no others', () => {
  const declared = packageImports();
  const drawn = imports();
  const names = [...declared.keys()];
  const closure = (lines: ReadonlyMap<string, readonly string[]>) =>
    names.map((name) => ({
      name,
      imports: reachable(name, lines)
        .filter((to) => names.includes(to))
        .toSorted(),
    }));
  expect(closure(drawn)).toEqual(closure(declared));
});

it('the architecture picture shows every layer of the engine', () => {
  const folders = globSync('packages/engine/src/*/', { cwd: ROOT }).map((path) =>
    path.replace('packages/engine/src/', ''),
  );
  const layers = ['engine', ...reachable('engine', imports())].filter((part) =>
    folders.includes(part),
  );
  expect(layers.toSorted()).toEqual(folders.toSorted());
});
