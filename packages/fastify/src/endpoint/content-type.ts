import { MIMEType } from 'node:util';

import type { Ask } from './ask.ts';
import { HttpProblem } from './problems.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** What the caller takes of these (RFC 9110 §12.5.1). @throws {HttpProblem} `not_acceptable` */
export function acceptedType<Type extends string>(ask: Ask, types: readonly Type[]): Type {
  const type = ask.accepts(types);
  if (type !== undefined) return type;
  throw new HttpProblem('not_acceptable', `This path answers with ${types.join(' or ')}.`);
}

export function acceptsJson(ask: Ask): void {
  acceptedType(ask, ['application/json']);
}

/** @throws {HttpProblem} `unsupported_media_type` unless it is plain JSON in UTF-8 */
export function checkContentType(
  contentType: string | undefined,
  contentEncoding: string | undefined,
): void {
  // What nearly every caller sends.
  if (contentType === 'application/json' && contentEncoding === undefined) return;
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity')
    throw unsupported('Content codings are not read.');
  const type = mimeType(contentType ?? '');
  if (type?.essence !== 'application/json')
    throw unsupported('Send Content-Type: application/json.');
  const charset = type.params.get('charset') ?? 'utf-8';
  if (charset.toLowerCase() !== 'utf-8')
    throw unsupported('JSON travels in UTF-8 (RFC 8259 §8.1).');
}

function mimeType(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
}

function unsupported(detail: string): HttpProblem {
  return new HttpProblem('unsupported_media_type', detail, {
    headers: { 'accept-post': 'application/json', 'accept-query': 'application/json' },
  });
}
