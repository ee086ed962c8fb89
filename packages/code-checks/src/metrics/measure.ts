import { importCycles, importGraph } from '../import-graph.ts';
import { linesOverWidth } from '../line-width.ts';
import { linesOfText, type SourceFile } from '../source-file.ts';
import { countCasts } from './casts.ts';
import { type Distribution, distributionOf } from './distribution.ts';
import { duplicatedPairs } from './duplicates.ts';
import { functionsOf } from './functions.ts';

/** The figures of one set of files. */
export interface Metrics {
  readonly files: number;
  readonly lines: number;
  readonly fileLines: Distribution;
  readonly functions: number;
  readonly functionLines: Distribution;
  readonly parameters: Distribution;
  readonly functionsOverThreeParameters: number;
  readonly nesting: Distribution;
  readonly casts: number;
  readonly linesOverWidth: number;
  readonly cycles: number;
  readonly duplicatedPairs: number;
}

export function measure(files: readonly SourceFile[]): Metrics {
  const lines = files.map(linesOfText);
  const functions = files.flatMap(functionsOf);
  return {
    files: files.length,
    lines: sum(lines.map(({ length }) => length)),
    fileLines: distributionOf(lines.map(({ length }) => length)),
    functions: functions.length,
    functionLines: distributionOf(functions.map((each) => each.lines)),
    parameters: distributionOf(functions.map(({ parameters }) => parameters)),
    functionsOverThreeParameters: functions.filter(({ parameters }) => parameters > 3).length,
    nesting: distributionOf(functions.map(({ nesting }) => nesting)),
    casts: sum(files.map(countCasts)),
    linesOverWidth: files.flatMap(linesOverWidth).length,
    cycles: importCycles(importGraph(files)).length,
    duplicatedPairs: duplicatedPairs(files).length,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
