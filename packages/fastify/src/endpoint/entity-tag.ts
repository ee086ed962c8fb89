import { createHash } from 'node:crypto';

import type { Answer, Ask } from './ask.ts';

/** An entity tag of a list, weak or strong (RFC 9110 §8.8.3); `*` is none. */
const TAG = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/y;

/** By the weak comparison (RFC 9110 §13.1.2): proxies that compress weaken tags. Never `*`. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const separator = /[\t ,]*/y;
  for (let at = 0; at < ifNoneMatch.length;) {
    separator.lastIndex = at;
    separator.test(ifNoneMatch);
    TAG.lastIndex = separator.lastIndex;
    const found = TAG.exec(ifNoneMatch);
    if (found === null) return false;
    if (found[1] === tag) return true;
    at = TAG.lastIndex;
  }
  return false;
}

type Whole = Answer & { readonly body: string | Uint8Array };

/** Adds a tag to the answer, or answers 304 where the caller holds it. */
export function tagged(ask: Ask, answer: Whole, tag = tagOf(answer.body)): Answer {
  const headers = { ...answer.headers, etag: `"${tag}"` };
  if (!namesTag(ask.header('if-none-match'), tag)) return { ...answer, headers };
  return { status: 304, headers, body: '' };
}

export function tagOf(body: string | Uint8Array): string {
  return createHash('sha1').update(body).digest('base64');
}
