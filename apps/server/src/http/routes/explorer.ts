import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import etag from '@fastify/etag';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';

import { PROGRAM_PAGE_HEADERS } from '../page.ts';

const INDEX_HEADERS = { ...PROGRAM_PAGE_HEADERS, 'cache-control': 'no-cache' };
const ASSET_HEADERS = {
  ...PROGRAM_PAGE_HEADERS,
  'cache-control': 'public, max-age=31536000, immutable',
};

const OPTIONS = { config: { access: 'public' } } as const;

interface ExplorerOptions {
  /** The folder of the built page: `index.html` and `assets`. */
  readonly directory: string;
}

/**
 * `GET /`: a page that looks at any model with a token. Its assets are named by their content, and
 * so never change.
 */
export async function explorerRoutes(
  app: FastifyInstance,
  { directory }: ExplorerOptions,
): Promise<void> {
  const index = await readFile(join(directory, 'index.html'));
  await app.register(etag);
  await app.register(files, {
    root: join(directory, 'assets'),
    serve: false,
    cacheControl: false,
    dotfiles: 'ignore',
    preCompressed: true,
  });

  // Its ETag is of its content: packages are unpacked with one date for all files, and size alone
  // does not tell versions apart.
  app.get('/', OPTIONS, (_request, reply) =>
    reply.headers(INDEX_HEADERS).type('text/html; charset=utf-8').send(index),
  );

  app.get<{ Params: { '*': string } }>('/assets/*', OPTIONS, (request, reply) =>
    reply.headers(ASSET_HEADERS).sendFile(request.params['*']),
  );
}
