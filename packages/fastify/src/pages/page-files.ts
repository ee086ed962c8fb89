import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

import type { Answer, Ask } from '../endpoint/ask.ts';
import { tagged, tagOf } from '../endpoint/entity-tag.ts';
import { nothingHere } from '../endpoint/route.ts';
import { escapeHtml } from './page.ts';

export interface ProgramFiles {
  /** Paths such as `assets/index.js`; none where the files are not built. */
  readonly names: readonly string[];
  /** @throws {Error} when there is no such file. */
  read(name: string): Buffer;
}

export function filesIn(directory: string): ProgramFiles {
  let names: readonly string[] | undefined;
  return {
    get names() {
      return (names ??= namesIn(directory));
    },
    read: (name) => readFileSync(join(directory, name)),
  };
}

function namesIn(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)))
    .map((path) => path.replaceAll(sep, '/'));
}

/** Adds facts to `index.html`, which its scripts read. */
export function withMeta(
  files: ProgramFiles,
  meta: Readonly<Record<string, string | undefined>>,
): ProgramFiles {
  const tags = Object.entries(meta).flatMap(([name, value]) =>
    value === undefined ? [] : `<meta name="${name}" content="${escapeHtml(value)}">`,
  );
  if (tags.length === 0) return files;
  return {
    names: files.names,
    read: (file) => {
      const bytes = files.read(file);
      if (file !== 'index.html') return bytes;
      return Buffer.from(bytes.toString().replace('</head>', () => `${tags.join('')}</head>`));
    },
  };
}

/** Files of other types are not sent. */
const CONTENT_TYPES = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'application/javascript; charset=utf-8'],
]);

/** Suffixes of compressed copies, the smallest first. */
const ENCODINGS = new Map([
  ['br', '.br'],
  ['gzip', '.gz'],
]);

interface PageFile {
  readonly bytes: Buffer;
  readonly tag: string;
}

/** Sends the files of a page, each read on first use and then kept. */
export class PageFiles {
  readonly #files: ProgramFiles;
  readonly #names: ReadonlySet<string>;
  readonly #read = new Map<string, PageFile>();

  constructor(files: ProgramFiles) {
    this.#files = files;
    this.#names = new Set(files.names);
  }

  /** A compressed copy if there is one. @throws {HttpProblem} `not_found` for unknown files */
  answer(name: string, ask: Ask, headers: Answer['headers']): Answer {
    const type = CONTENT_TYPES.get(extname(name));
    if (type === undefined || !this.#names.has(name)) throw nothingHere();
    const built = [...ENCODINGS].filter(([, end]) => this.#names.has(name + end));
    const encoding = ask.acceptsEncoding(built.map(([known]) => known));
    const { bytes, tag } = this.#file(name + (ENCODINGS.get(encoding) ?? ''));
    const sent = {
      ...headers,
      'content-type': type,
      ...(built.length > 0 && { vary: 'accept-encoding' }),
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    };
    return tagged(ask, { status: 200, headers: sent, body: bytes }, tag);
  }

  #file(name: string): PageFile {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    const bytes = this.#files.read(name);
    const file = { bytes, tag: tagOf(bytes) };
    this.#read.set(name, file);
    return file;
  }
}
