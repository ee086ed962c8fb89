import { createHash } from 'node:crypto';

import { escapeHtml, NOTHING_MORE } from '@proj/fastify/host';

const STYLE = `body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:3rem auto;
padding:0 1rem;color-scheme:light dark}
dt{margin-top:.75rem}dd{margin:0}nav{margin-top:3rem}`;

/** Allows the one style sheet of a page of text. */
export const TEXT_PAGE_HEADERS = {
  'cache-control': 'public, max-age=3600',
  'content-security-policy':
    "default-src 'none'; style-src " +
    `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ${NOTHING_MORE}`,
  'referrer-policy': 'no-referrer',
};

/** The title is text and may hold `code`; the body is HTML. */
export function textPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} · Dynamic Query</title>
<style>${STYLE}</style>
${body}
</html>
`;
}

export function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
