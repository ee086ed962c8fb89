import type { Answer } from '@proj/engine';
import { LRUCache } from 'lru-cache';

import type { Reply } from './oracle.ts';
import { bodyOf, type Request } from './requests.ts';

interface HeldReply {
  readonly tag: string;
  readonly reply: Reply;
}

/** What callers hold of earlier replies, who are sent no page again that is the same. */
export class HeldReplies {
  readonly #held = new LRUCache<string, HeldReply>({ max: 2000 });

  /** What a caller shows who holds an earlier reply that has the tag of this answer. */
  read(request: Request, { result, page, tag }: Reply & Pick<Answer, 'tag'>): Reply {
    const key = JSON.stringify([request.question.audience.name, bodyOf(request)]);
    const held = this.#held.get(key);
    const current = tag();
    if (held?.tag === current) return held.reply;
    const reply = { result, page };
    this.#held.set(key, { tag: current, reply });
    return reply;
  }
}
