import { describeValue } from '../errors/describe-value.ts';

/**
 * Ends in a slash, so that paths of the API keep a path prefix.
 *
 * @throws {TypeError} when it is not an absolute http or https URL, or holds credentials, a query
 *   or a fragment.
 */
export function readBaseUrl(baseUrl: string | URL): URL {
  const url = URL.parse(String(baseUrl));
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      'baseUrl: expected an absolute http or https URL, such as "https://data.example.com" ' +
        `or "https://example.com/prefix"; got ${describeValue(withoutCredentials(baseUrl))}`,
    );
  }
  if (url.username || url.password) {
    throw new TypeError(
      'baseUrl: expected a URL without a user name and password; pass the access token as `token`',
    );
  }
  if (url.search || url.hash) {
    throw new TypeError(
      'baseUrl: expected a URL without a query and a fragment, such as ' +
        `"${url.origin}${url.pathname}"`,
    );
  }
  url.pathname = url.pathname.replace(/\/*$/, '/');
  return url;
}

function withoutCredentials(baseUrl: string | URL): unknown {
  return typeof baseUrl === 'string' ? baseUrl.replace(/.*@/s, '…@') : baseUrl;
}
