/** A JSON pointer (RFC 6901) to a place in the request body. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
