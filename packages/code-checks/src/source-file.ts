import { parseSync, type Program, visitorKeys } from 'oxc-parser';

/** One file of TypeScript, with its syntax tree. */
export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly program: Program;
}

/** Any node of the syntax tree; `start` and `end` are places in the text. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** @throws {SyntaxError} when the text is not TypeScript. */
export function parseFile(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new SyntaxError(`${path}: ${error.message}`);
  return { path, text, program };
}

/** The root of a file's tree. */
export function rootOf(file: SourceFile): SyntaxNode {
  return { ...file.program };
}

/** The nodes directly below a node, in the order of the text. */
function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (const key of visitorKeys[node.type] ?? []) {
    const value = node[key];
    if (Array.isArray(value)) children.push(...value.filter(isNode));
    else if (isNode(value)) children.push(value);
  }
  return children;
}

/** The node that a member of a node holds. */
export function nodeAt(node: SyntaxNode, member: string): SyntaxNode | undefined {
  const value = node[member];
  return isNode(value) ? value : undefined;
}

/** A node and all below it, in the order of the text. */
export function* nodesBelow(node: SyntaxNode): Generator<SyntaxNode> {
  const waiting = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    waiting.push(...childrenOf(next).toReversed());
  }
}

/** The lines of a file. The line feed at the end begins no line. */
export function linesOfText({ text }: SourceFile): string[] {
  return text.replace(/\n$/, '').split('\n');
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}
