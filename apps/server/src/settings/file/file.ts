import { readFile } from 'node:fs/promises';

import { fromEntries, isRecord } from '@proj/fastify/settings';
import { type Document, LineCounter, isNode, parseDocument, visit } from 'yaml';

import { UsageError } from './usage-error.ts';
import { hashOf } from './watch.ts';

export interface SettingsFile {
  readonly values: Record<string, unknown>;
  /** Equal for equal content; see `hashOf`. */
  readonly fingerprint: string;
  has(path: readonly PropertyKey[]): boolean;
  /** Such as `dynamic-query.yaml:12`. */
  place(path: readonly PropertyKey[]): string;
}

/** @throws {UsageError} when the file cannot be read or is not a YAML mapping with each key once */
export async function readSettingsFile(path: string): Promise<SettingsFile> {
  const text = await readText(path);
  const lines = new LineCounter();
  const options = { lineCounter: lines, uniqueKeys: true, prettyErrors: false };
  const document = parseDocument(text, options);
  const errors = syntaxErrors(document).map(
    ({ pos, message }) => `${path}:${lines.linePos(pos[0]).line}: ${withoutQuotation(message)}`,
  );
  if (errors.length > 0) throw new UsageError(errors.join('\n'));
  const values = withoutMaps(document.toJS({ mapAsMap: true }) ?? {});
  if (!isRecord(values)) {
    throw new UsageError(`${path}: expected a mapping of settings, such as "expose: all".`);
  }
  return {
    values,
    fingerprint: hashOf(text),
    has: (keys) => document.hasIn(keys),
    place: (keys) => {
      const offset = offsetOf(keys, document);
      return offset === undefined ? path : `${path}:${lines.linePos(offset).line}`;
    },
  };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const remedy = isMissing ? ' Make one with `dynamic-query init`.' : '';
    throw new UsageError(`${path}: the settings file cannot be read (${reason}).${remedy}`);
  }
}

function withoutMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMaps);
  if (!(value instanceof Map)) return value;
  return fromEntries([...value].map(([key, member]) => [String(key ?? ''), withoutMaps(member)]));
}

/** Of the longest part of the path that the file holds. */
function offsetOf(keys: readonly PropertyKey[], document: Document.Parsed): number | undefined {
  for (let length = keys.length; length > 0; length--) {
    const node = document.getIn(keys.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return undefined;
}

interface YamlError {
  readonly pos: readonly [number, ...number[]];
  readonly message: string;
}

function syntaxErrors(document: Document.Parsed): YamlError[] {
  return [...document.errors, ...document.warnings, ...danglingAliases(document)];
}

/** Aliases without an anchor, which the parser accepts until the values are read. */
function danglingAliases(document: Document.Parsed): YamlError[] {
  const errors: YamlError[] = [];
  visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document) === undefined)
        errors.push({ pos: alias.range ?? [0], message: 'Unresolved alias' });
    },
  });
  return errors;
}

/** Cuts a parser's quotations, which may be secret: `Unresolved tag: !s3cret`. */
function withoutQuotation(message: string): string {
  return message.replace(/(?<=\w)(?:: .+| [%!\\*].*)$/s, '');
}
