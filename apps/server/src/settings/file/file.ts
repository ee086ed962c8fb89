import { isUtf8 } from 'node:buffer';
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
  const values = withoutMaps(expanded(document, path) ?? {});
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
  const bytes = await readFile(path).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const remedy = isMissing ? ' Make one with `dynamic-query init`.' : '';
    throw new UsageError(`${path}: the settings file cannot be read (${reason}).${remedy}`);
  });
  if (!isUtf8(bytes)) throw new UsageError(`${path}: the settings file is not UTF-8. Save it so.`);
  return bytes.toString();
}

/** The parser counts what aliases repeat, and throws where that is very much. */
function expanded(document: Document, path: string): unknown {
  try {
    return document.toJS({ mapAsMap: true });
  } catch (error) {
    throw new UsageError(`${path}: its aliases repeat too much. Write out what they stand for.`, {
      cause: error,
    });
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

function syntaxErrors(document: Document): YamlError[] {
  return [...document.errors, ...document.warnings, ...aliasErrors(document)];
}

/** Aliases of nothing, or of what they are part of, which the parser accepts. */
function aliasErrors(document: Document): YamlError[] {
  const errors: YamlError[] = [];
  visit(document, {
    Alias: (_key, alias, around) => {
      const meant = alias.resolve(document);
      const message = meant === undefined ? 'Unresolved alias' : 'Alias of what it is part of';
      if (meant === undefined || around.includes(meant))
        errors.push({ pos: alias.range ?? [0], message });
    },
  });
  return errors;
}

/**
 * Cuts a parser's quotations, which may be secret (`Unresolved tag: !s3cret`), and its advice to
 * programmers (`; please use …`).
 */
function withoutQuotation(message: string): string {
  return message.replace(/(?<=\w)(?:: .+|; please .+| [%!\\*].*)$/s, '');
}
