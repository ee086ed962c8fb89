import { childrenOf, linesOf, rootOf, type SourceFile, type SyntaxNode } from '../source-file.ts';

/** A named function: declared, a method, or assigned to a name. */
export interface FunctionMetrics {
  /** From the function's first line to its last, its parameters included. */
  readonly lines: number;
  readonly parameters: number;
  /** How many conditions, loops, switches and tries are around the innermost statement. */
  readonly nesting: number;
}

const NESTING = new Set([
  'IfStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'SwitchStatement',
  'TryStatement',
]);

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Callbacks without a name belong to the function around them. */
export function functionsOf(file: SourceFile): FunctionMetrics[] {
  return namedFunctions(rootOf(file)).map((node) => ({
    lines: linesOf(file, node),
    parameters: Array.isArray(node['params']) ? node['params'].length : 0,
    nesting: nestingOf(node),
  }));
}

function namedFunctions(node: SyntaxNode): SyntaxNode[] {
  return childrenOf(node).flatMap((child) => [
    ...(isNamedFunction(child, node) ? [child] : []),
    ...namedFunctions(child),
  ]);
}

/** A function without a body is an overload or abstract: a type, nothing to measure. */
function isNamedFunction(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (!FUNCTIONS.has(node.type) || node['body'] === null) return false;
  return node.type === 'FunctionDeclaration' || namesItsValue(parent, node);
}

function namesItsValue(parent: SyntaxNode, value: SyntaxNode): boolean {
  switch (parent.type) {
    case 'VariableDeclarator':
      return parent['init'] === value;
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'Property':
      return parent['value'] === value;
    default:
      return false;
  }
}

function nestingOf(node: SyntaxNode): number {
  const below = childrenOf(node)
    .filter((child) => !isNamedFunction(child, node))
    .map((child) => nestingOf(child) + (isElseIf(child, node) ? -1 : 0));
  return Math.max(0, ...below) + (NESTING.has(node.type) ? 1 : 0);
}

/** `else if` goes on with the condition before it and is no deeper. */
function isElseIf(node: SyntaxNode, parent: SyntaxNode): boolean {
  return node.type === 'IfStatement' && parent['alternate'] === node;
}
