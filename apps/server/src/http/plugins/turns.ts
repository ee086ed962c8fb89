import type { Ask, Station } from '@proj/fastify/host';

import { Turns } from '../../limits/turns.ts';

/**
 * Lets callers take turns on the event loop, before a body is read and before a reply is sent (many
 * replies may become ready with one read). So a caller with many requests delays those of others
 * only a little.
 */
export function callersTurns(): Station {
  const turns = new Turns();
  const take = (ask: Ask): Promise<void> | undefined => {
    const { principal } = ask;
    if (principal === undefined) return undefined;
    const turn = Promise.withResolvers<void>();
    const giveUp = turns.take(principal.id, turn.resolve);
    if (giveUp === undefined) return undefined;
    ask.onEnd(giveUp);
    return turn.promise;
  };
  return { admit: take, leave: take };
}
