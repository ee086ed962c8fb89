import type { SignInOffer } from '../../access/oidc/explorer-sign-in.ts';
import type { ProgramFiles } from '../../process/program-files.ts';
import { escapeHtml, programPageHeaders } from '../reply/page.ts';
import { PageFiles } from '../reply/page-files.ts';
import { withTags } from './explorer-branding.ts';

/** The page of the explorer, as it is sent. */
export interface ExplorerPage {
  readonly files: PageFiles;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes the page for what it offers to sign in with, anew where that is another. */
export function explorerPages(files: ProgramFiles): (offer?: SignInOffer) => ExplorerPage {
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

/** An address as a policy names it: without a query, and without what ends a source there. */
function sourceOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
}
