import etag from '@fastify/etag';
import type { FastifyInstance } from 'fastify';

import type { SignInOffer } from '../../access/oidc/explorer-sign-in.ts';
import type { ProgramFiles } from '../../process/program-files.ts';
import { escapeHtml, PROGRAM_PAGE_HEADERS, programPageHeaders } from '../reply/page.ts';
import { FILE_ROUTE, PageFiles } from '../reply/page-files.ts';
import { withTags } from './explorer-branding.ts';

const ASSET_HEADERS = {
  ...PROGRAM_PAGE_HEADERS,
  'cache-control': 'public, max-age=31536000, immutable',
};

interface ExplorerOptions {
  /** `index.html` and files in `assets`. */
  readonly explorer: ProgramFiles;
  readonly signInOffer?: (() => Promise<SignInOffer | undefined>) | undefined;
}

/** `GET /`: a page for any model, with a token. Assets are named by content, and never change. */
export async function explorerRoutes(
  app: FastifyInstance,
  { explorer, signInOffer }: ExplorerOptions,
): Promise<void> {
  const files = new PageFiles(explorer);
  const pageFor = explorerPages(explorer);
  await app.register(etag);

  app.get('/', FILE_ROUTE, async (request, reply) => {
    const page = pageFor(await signInOffer?.());
    return page.files.send('index.html', { request, reply: reply.headers(page.headers) });
  });

  app.get<{ Params: { '*': string } }>('/assets/*', FILE_ROUTE, (request, reply) =>
    files.send(`assets/${request.params['*']}`, { request, reply: reply.headers(ASSET_HEADERS) }),
  );
}

interface ExplorerPage {
  readonly files: PageFiles;
  readonly headers: Readonly<Record<string, string>>;
}

function explorerPages(files: ProgramFiles): (offer?: SignInOffer) => ExplorerPage {
  let last: { readonly key: string; readonly page: ExplorerPage } | undefined;
  return (offer) => {
    const key = offer === undefined ? '' : JSON.stringify(offer);
    if (last?.key !== key) last = { key, page: pageOf(files, key, offer) };
    return last.page;
  };
}

function pageOf(files: ProgramFiles, content: string, offer?: SignInOffer): ExplorerPage {
  const tags = offer ? [`<meta name="sign-in" content="${escapeHtml(content)}">`] : [];
  const tokens = offer?.provider?.token_endpoint;
  return {
    files: new PageFiles(withTags(files, tags)),
    headers: {
      ...programPageHeaders(tokens === undefined ? [] : [sourceOf(tokens)]),
      'cache-control': 'no-cache',
    },
  };
}

/** An address as a source of a policy: without a query and what ends a source. */
function sourceOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
}
