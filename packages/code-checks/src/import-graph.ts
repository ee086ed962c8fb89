import { posix } from 'node:path';

import { importsOf } from './imports.ts';
import type { SourceFile } from './source-file.ts';

/** The files that each file imports, by their paths. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** The graph of the imports among files, across packages too, types included. */
export function importGraph(files: readonly SourceFile[]): ImportGraph {
  const paths = new Set(files.map(({ path }) => path));
  return new Map(
    files.map((file) => [
      file.path,
      importsOf(file).flatMap(({ specifier }) => {
        return candidates(file.path, specifier).filter((path) => paths.has(path));
      }),
    ]),
  );
}

/** Where the file may be that an import names. A package of the workspace is its `index.ts`. */
function candidates(from: string, specifier: string): string[] {
  if (specifier.startsWith('.')) return [posix.join(posix.dirname(from), specifier)];
  const [, name] = /^@proj\/([^/]+)$/.exec(specifier) ?? [];
  return name === undefined ? [] : [`packages/${name}/src/index.ts`, `apps/${name}/src/index.ts`];
}

/** Each largest group of files that import each other, in a ring or several. */
export function importCycles(graph: ImportGraph): string[][] {
  const reachable = new Map([...graph.keys()].map((file) => [file, reachableFrom(graph, file)]));
  const cycles = new Map<string, string[]>();
  for (const [file, others] of reachable) {
    if (!others.has(file)) continue;
    const cycle = [...others].filter((other) => reachable.get(other)?.has(file)).toSorted();
    cycles.set(cycle.join(), cycle);
  }
  return [...cycles.values()];
}

function reachableFrom(graph: ImportGraph, file: string): Set<string> {
  const found = new Set<string>();
  const waiting = [...(graph.get(file) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...(graph.get(next) ?? []));
  }
  return found;
}
