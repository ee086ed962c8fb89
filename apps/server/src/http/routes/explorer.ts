import etag from '@fastify/etag';
import type { FastifyInstance } from 'fastify';

import type { ProgramFiles } from '../../process/program-files.ts';
import { PROGRAM_PAGE_HEADERS } from '../reply/page.ts';
import { PageFiles } from '../reply/page-files.ts';

const INDEX_HEADERS = { ...PROGRAM_PAGE_HEADERS, 'cache-control': 'no-cache' };
const ASSET_HEADERS = {
  ...PROGRAM_PAGE_HEADERS,
  'cache-control': 'public, max-age=31536000, immutable',
};

const OPTIONS = { config: { access: 'public' } } as const;

interface ExplorerOptions {
  /** The files of the built page: `index.html` and those in `assets`. */
  readonly explorer: ProgramFiles;
}

/**
 * `GET /`: a page that looks at any model with a token. Its assets are named by their content, and
 * so never change.
 */
export async function explorerRoutes(
  app: FastifyInstance,
  { explorer }: ExplorerOptions,
): Promise<void> {
  const files = new PageFiles(explorer);
  await app.register(etag);

  app.get('/', OPTIONS, (request, reply) =>
    files.send('index.html', { request, reply: reply.headers(INDEX_HEADERS) }),
  );

  app.get<{ Params: { '*': string } }>('/assets/*', OPTIONS, (request, reply) =>
    files.send(`assets/${request.params['*']}`, { request, reply: reply.headers(ASSET_HEADERS) }),
  );
}
