import type { ImportGraph } from '../import-graph.ts';
import type { Layers } from './layers.ts';

/** The imports that a folder's layers do not allow, as `importing file imports imported file`. */
export function checkLayers(graph: ImportGraph, { folder, parts }: Layers): string[] {
  const levelOf = (path: string): Level | undefined => levelIn(folder, parts, path);
  return [...graph].flatMap(([file, imports]) => {
    const from = levelOf(file);
    if (from === undefined) return [];
    return imports
      .filter((path) => !mayImport(from, levelOf(path)))
      .map((path) => `${file} imports ${path}`);
  });
}

/** The place of a file in the layers of a folder. */
interface Level {
  /** The line of its part, from 0; -1 for a file that belongs to no part. */
  readonly line: number;
  readonly part: string | undefined;
}

/** Files outside of the folder have no level: other rules hold for them. */
function levelIn(folder: string, parts: Layers['parts'], path: string): Level | undefined {
  const prefix = folder === '' ? '' : `${folder}/`;
  if (!path.startsWith(prefix)) return undefined;
  const inFolder = path.slice(prefix.length);
  const isIn = (part: string): boolean => inFolder === part || inFolder.startsWith(`${part}/`);
  const line = parts.findIndex((siblings) => siblings.some(isIn));
  return { line, part: parts[line]?.find(isIn) };
}

function mayImport(from: Level, to: Level | undefined): boolean {
  return to === undefined || to.line < from.line || to.part === from.part;
}
