import { importsOf } from '../imports.ts';
import { nodesBelow, rootOf, type SourceFile, type SyntaxNode } from '../source-file.ts';
import type { Restriction } from './places.ts';

/** Where something occurs outside of its places, as `file:line`. */
export function checkRestriction(files: readonly SourceFile[], rule: Restriction): string[] {
  return files
    .filter(({ path }) => isIn(rule.within, path) && !isIn(rule.places, path))
    .flatMap((file) =>
      [...importLines(file, rule), ...codeLines(file, rule)].map((line) => `${file.path}:${line}`),
    );
}

function isIn(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

function importLines(file: SourceFile, { modules }: Restriction): number[] {
  if (modules === undefined) return [];
  return importsOf(file)
    .filter(({ specifier }) => modules.test(specifier))
    .map(({ line }) => line);
}

function codeLines(file: SourceFile, { code }: Restriction): number[] {
  if (code === undefined) return [];
  return [...codeBelow(rootOf(file))]
    .filter((node) => code.test(codeText(file, node)))
    .map(({ start }) => file.text.slice(0, start).split('\n').length);
}

const WITH_TEXT = new Set([
  'Identifier',
  'PrivateIdentifier',
  'Literal',
  'TemplateElement',
  'JSXText',
  'MemberExpression',
]);

/** The names and texts of a file. Paths of modules are imports, which have rules of their own. */
function* codeBelow(root: SyntaxNode): Generator<SyntaxNode> {
  const paths = new Set<unknown>();
  for (const node of nodesBelow(root)) {
    paths.add(node['source']);
    if (WITH_TEXT.has(node.type) && !paths.has(node)) yield node;
  }
}

/** Words of a name in camel case count as words. */
function codeText(file: SourceFile, { type, start, end }: SyntaxNode): string {
  const text = file.text.slice(start, end);
  return type.endsWith('Identifier') ? text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ') : text;
}
