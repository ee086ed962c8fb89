import * as z from 'zod';

/** Trusted for keys and addresses: https, or http on a loopback address. */
export const safeUrl = z
  .url('expected a URL')
  .refine(isSafe, 'expected an https URL without a user name (http only on a loopback address)');

/** Whoever can change what comes from there can sign any token. */
function isSafe(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname))
  );
}
