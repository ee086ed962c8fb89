export const NOTHING_MORE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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

/** Also within an attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
