import { createHash } from 'node:crypto';

const STYLE = `body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:3rem auto;
padding:0 1rem;color-scheme:light dark}
dt{margin-top:.75rem}dd{margin:0}nav{margin-top:3rem}`;

const NOTHING_MORE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Allows the one style sheet of a page of text. */
export const TEXT_PAGE_HEADERS = {
  'cache-control': 'public, max-age=3600',
  'content-security-policy':
    "default-src 'none'; style-src " +
    `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ${NOTHING_MORE}`,
  'referrer-policy': 'no-referrer',
};

/** @param asked other addresses that the page sends requests to, as sources of a policy */
export function programPageHeaders(asked: readonly string[] = []): Record<string, string> {
  return {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
      `connect-src ${["'self'", ...asked].join(' ')}; ${NOTHING_MORE}`,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  };
}

/** For a page that sends requests to this server alone. */
export const PROGRAM_PAGE_HEADERS = programPageHeaders();

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

/** Also within an attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
