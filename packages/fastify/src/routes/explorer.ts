import { basename } from 'node:path/posix';

import type { Route } from '../endpoint/route.ts';
import { PROGRAM_PAGE_HEADERS, programPageHeaders } from '../pages/page.ts';
import { PageFiles, type ProgramFiles, withMeta } from '../pages/page-files.ts';

const ASSET_HEADERS = {
  ...PROGRAM_PAGE_HEADERS,
  'cache-control': 'public, max-age=31536000, immutable',
};

export interface ExplorerFacts {
  /** By the names of elements `meta`. */
  readonly meta: Readonly<Record<string, string>>;
  /** Other addresses that the page sends requests to, as sources of a policy. */
  readonly asked?: readonly string[];
}

interface ExplorerOptions {
  /** `index.html` and files in `assets`. */
  readonly files: ProgramFiles;
  readonly facts?: () => ExplorerFacts | Promise<ExplorerFacts>;
}

/** `GET /`: a page for any model. Assets are named by content, and never change. */
export function explorerRoutes({ files, facts }: ExplorerOptions): Route[] {
  const assets = new PageFiles(files);
  const pageFor = explorerPages(files);
  const route = { methods: ['GET'], access: 'public' } as const;
  return [
    {
      ...route,
      path: '',
      answer: async (ask) => {
        // The page names its files by relative addresses.
        if (!ask.path.endsWith('/'))
          return { status: 308, headers: { location: `${basename(ask.path)}/` }, body: '' };
        const page = pageFor(await facts?.());
        return page.files.answer('index.html', ask, page.headers);
      },
    },
    {
      ...route,
      path: 'assets/:name',
      answer: (ask) => assets.answer(`assets/${ask.parameter('name')}`, ask, ASSET_HEADERS),
    },
  ];
}

interface ExplorerPage {
  readonly files: PageFiles;
  readonly headers: Readonly<Record<string, string>>;
}

function explorerPages(files: ProgramFiles): (facts?: ExplorerFacts) => ExplorerPage {
  let last: { readonly key: string; readonly page: ExplorerPage } | undefined;
  return ({ meta, asked }: ExplorerFacts = { meta: {} }) => {
    const key = JSON.stringify([meta, asked]);
    if (last?.key !== key) {
      const headers = { ...programPageHeaders(asked), 'cache-control': 'no-cache' };
      last = { key, page: { files: new PageFiles(withMeta(files, meta)), headers } };
    }
    return last.page;
  };
}
