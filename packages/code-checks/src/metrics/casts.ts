import { nodeAt, nodesBelow, rootOf, type SourceFile, type SyntaxNode } from '../source-file.ts';

/** How often a file overrules the type checker: `as` other than `as const`, `<T>x` and `x!`. */
export function countCasts(file: SourceFile): number {
  return [...nodesBelow(rootOf(file))].filter(isCast).length;
}

function isCast(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'TSAsExpression':
      return !isConst(nodeAt(node, 'typeAnnotation'));
    case 'TSTypeAssertion':
    case 'TSNonNullExpression':
      return true;
    default:
      return false;
  }
}

function isConst(type: SyntaxNode | undefined): boolean {
  return type !== undefined && nodeAt(type, 'typeName')?.['name'] === 'const';
}
