import type { RequestError } from '@proj/client';

/**
 * What the service says about a value, for a reader who sees its control: without the JSON pointer
 * into the body of the request, which begins most of these texts.
 */
export function errorDetail({ pointer, detail }: RequestError): string {
  if (pointer === '' || !detail.startsWith(pointer)) return detail;
  const rest = detail.slice(pointer.length);
  if (rest.startsWith(': ')) return rest.charAt(2).toUpperCase() + rest.slice(3);
  return rest.startsWith(' ') ? `This${rest}` : detail;
}

/** The same for a reader who sees no control of it: the last part of the pointer is its name. */
export function namedDetail({ pointer, detail }: RequestError): string {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  return pointer !== '' && detail.startsWith(pointer)
    ? `“${name}”${detail.slice(pointer.length)}`
    : detail;
}
