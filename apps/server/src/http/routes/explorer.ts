import etag from '@fastify/etag';
import type { FastifyInstance } from 'fastify';

import type { SignInOffer } from '../../access/oidc/explorer-sign-in.ts';
import type { ProgramFiles } from '../../process/program-files.ts';
import { programPageHeaders } from '../reply/page.ts';
import { PageFiles } from '../reply/page-files.ts';
import { explorerPages } from './explorer-page.ts';

const ASSET_HEADERS = {
  ...programPageHeaders(),
  'cache-control': 'public, max-age=31536000, immutable',
};

const OPTIONS = { config: { access: 'public' } } as const;

interface ExplorerOptions {
  /** The files of the built page: `index.html` and those in `assets`. */
  readonly explorer: ProgramFiles;
  /** What it offers to sign in with; nothing where absent or undefined. */
  readonly signInOffer?: (() => Promise<SignInOffer | undefined>) | undefined;
}

/**
 * `GET /`: a page that looks at any model with a token. Its assets are named by their content, and
 * so never change.
 */
export async function explorerRoutes(
  app: FastifyInstance,
  { explorer, signInOffer }: ExplorerOptions,
): Promise<void> {
  const files = new PageFiles(explorer);
  const pageFor = explorerPages(explorer);
  await app.register(etag);

  app.get('/', OPTIONS, async (request, reply) => {
    const page = pageFor(await signInOffer?.());
    return page.files.send('index.html', { request, reply: reply.headers(page.headers) });
  });

  app.get<{ Params: { '*': string } }>('/assets/*', OPTIONS, (request, reply) =>
    files.send(`assets/${request.params['*']}`, { request, reply: reply.headers(ASSET_HEADERS) }),
  );
}
