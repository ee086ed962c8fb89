import { nodeAt, nodesBelow, rootOf, type SourceFile } from './source-file.ts';

/** One module that a file names, in an import, an export from, `import()` or an import type. */
export interface Import {
  /** As it is written, such as `./plan.ts` or `fastify`. */
  readonly specifier: string;
  /** The line of the file that names it, from 1. */
  readonly line: number;
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

/** Each rule asks for the imports of each file. */
const known = new WeakMap<SourceFile, readonly Import[]>();

/** What a file imports, types included. A module named by an expression is passed over. */
export function importsOf(file: SourceFile): readonly Import[] {
  const imports = known.get(file) ?? readImports(file);
  known.set(file, imports);
  return imports;
}

function readImports(file: SourceFile): Import[] {
  return [...nodesBelow(rootOf(file))]
    .filter((node) => IMPORTING.has(node.type))
    .flatMap((node) => {
      const specifier = nodeAt(node, 'source')?.['value'];
      if (typeof specifier !== 'string') return [];
      return [{ specifier, line: file.text.slice(0, node.start).split('\n').length }];
    });
}
