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
