import { CATALOGUE_TAG } from './catalogue-check.ts';

/** Of all bodies together; the least recently used go first. */
const MOST_BYTES = 16 * 2 ** 20;
const MOST_REPLIES = 1000;

export interface KeptReply {
  readonly tag: string;
  readonly bytes: ArrayBuffer;
  readonly headers: Headers;
}

/** The last replies to queries, for when the service answers 304. */
export class KeptReplies {
  readonly #replies = new Map<string, KeptReply>();
  #bytes = 0;

  of(body: string): KeptReply | undefined {
    return this.#replies.get(body);
  }

  /** Keeps a reply that has an entity tag. Returns it as it came. */
  async keep(body: string, response: Response): Promise<Response> {
    const tag = response.headers.get('etag');
    if (response.status !== 200 || tag === null) return response;
    const bytes = await response.arrayBuffer();
    return this.keepAs(body, { tag, bytes, headers: response.headers });
  }

  keepAs(body: string, reply: KeptReply): Response {
    this.#forget(body);
    this.#replies.set(body, reply);
    this.#bytes += reply.bytes.byteLength;
    for (const [oldest] of this.#replies) {
      if (this.#bytes <= MOST_BYTES && this.#replies.size <= MOST_REPLIES) break;
      this.#forget(oldest);
    }
    return new Response(reply.bytes, { headers: reply.headers });
  }

  #forget(body: string): void {
    this.#bytes -= this.#replies.get(body)?.bytes.byteLength ?? 0;
    this.#replies.delete(body);
  }
}

/** A kept reply with the headers of the 304 that confirmed it (RFC 9111 §3.2). */
export function refreshed(kept: KeptReply, notModified: Response): KeptReply {
  const headers = new Headers(kept.headers);
  // A 304 names none, and the one of the kept reply may be outdated.
  headers.delete(CATALOGUE_TAG);
  notModified.headers.forEach((value, name) => headers.set(name, value));
  return { ...kept, headers };
}
