import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';

import { fromEntries, isRecord } from '@proj/fastify/settings';
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';

import { innermost, placeKey } from '../places.ts';
import { UsageError } from './usage-error.ts';
import { hashOf } from './watch.ts';

export interface SettingsFile {
  readonly values: Record<string, unknown>;
  /** Equal for equal content; see `hashOf`. */
  readonly fingerprint: string;
  /** Such as `dynamic-query.yaml:12`. */
  place(path: readonly PropertyKey[]): string;
}

/** @throws {UsageError} when the file cannot be read or is not a YAML mapping with each key once */
export async function readSettingsFile(path: string): Promise<SettingsFile> {
  const text = await readText(path);
  const lines = new LineCounter();
  const options = { lineCounter: lines, uniqueKeys: false, prettyErrors: false, merge: true };
  const document = parseDocument(text, options);
  const { offsets, repeated } = outline(document);
  const found = [...document.errors, ...document.warnings, ...aliasErrors(document), ...repeated];
  const errors = found.map(
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
    place: (keys) => {
      const offset = innermost(keys, offsets);
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

/** The parser throws where aliases repeat very much, or `<<` names anything but mappings. */
function expanded(document: Document, path: string): unknown {
  try {
    return document.toJS({ mapAsMap: true });
  } catch (error) {
    const reason =
      error instanceof ReferenceError
        ? 'its aliases repeat too much. Write out what they stand for.'
        : 'a `<<` stands for something else than mappings.';
    throw new UsageError(`${path}: ${reason}`, { cause: error });
  }
}

function withoutMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMaps);
  if (!(value instanceof Map)) return value;
  return fromEntries([...value].map(([key, member]) => [String(key ?? ''), withoutMaps(member)]));
}

/** Where values begin, and repeated keys: the parser's own searches go through a whole mapping. */
function outline({ contents }: Document) {
  const offsets = new Map<string, number>();
  const repeated: YamlError[] = [];
  const add = (node: unknown, path: readonly string[]): void => {
    if (path.length > 0 && isNode(node) && node.range) offsets.set(placeKey(path), node.range[0]);
    if (isSeq(node))
      for (const [at, item] of node.items.entries()) add(item, [...path, String(at)]);
    const pairs = isMap(node) ? node.items : [];
    const byName = Map.groupBy(pairs, ({ key }) => String(isScalar(key) ? key.value : key));
    for (const [name, [first, ...others]] of byName) {
      add(first?.value, [...path, name]);
      for (const { key } of others)
        repeated.push({
          pos: (isNode(key) && key.range) || [0],
          message: 'Map keys must be unique',
        });
    }
  };
  add(contents, []);
  return { offsets, repeated };
}

interface YamlError {
  readonly pos: readonly [number, ...number[]];
  readonly message: string;
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
