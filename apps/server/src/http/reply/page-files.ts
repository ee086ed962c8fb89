import { createHash } from 'node:crypto';
import { extname } from 'node:path';

import accepts from 'accepts';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { ProgramFiles } from '../../process/program-files.ts';

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
  readonly etag: string;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export const FILE_ROUTE = { config: { access: 'public' } } as const;

/** Sends the files of a page, each read on first use and then kept. */
export class PageFiles {
  readonly #files: ProgramFiles;
  readonly #names: ReadonlySet<string>;
  readonly #read = new Map<string, PageFile>();

  constructor(files: ProgramFiles) {
    this.#files = files;
    this.#names = new Set(files.names);
  }

  /** Sends a compressed copy if there is one; 404 for unknown files. */
  send(name: string, { request, reply }: Exchange): FastifyReply {
    const type = CONTENT_TYPES.get(extname(name));
    if (type === undefined || !this.#names.has(name)) {
      reply.callNotFound();
      return reply;
    }
    const encoding = this.#encoding(name, { request, reply });
    const { bytes, etag } = this.#file(name + (ENCODINGS.get(encoding) ?? ''));
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    reply.type(type).headers({ etag, 'content-length': bytes.length });
    return reply.send(bytes);
  }

  #encoding(name: string, { request, reply }: Exchange): string {
    const built = [...ENCODINGS].filter(([, end]) => this.#names.has(name + end));
    if (built.length === 0) return 'identity';
    reply.header('vary', 'accept-encoding');
    const known = [...built.map(([encoding]) => encoding), 'identity'];
    return accepts(request.raw).encoding(known) || 'identity';
  }

  #file(name: string): PageFile {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    const bytes = this.#files.read(name);
    const file = { bytes, etag: `"${createHash('sha1').update(bytes).digest('base64')}"` };
    this.#read.set(name, file);
    return file;
  }
}
