import type { Ask, Station } from '@proj/fastify/host';

import { Turns } from '../../limits/turns.ts';

/** Callers take turns before a body is read and before a reply is sent, to delay others little. */
export function callersTurns(): Station {
  const turns = new Turns();
  const take = (ask: Ask): Promise<void> | undefined => {
    const { principal } = ask;
    if (principal === undefined) return undefined;
    let begin: (() => void) | undefined;
    const giveUp = turns.take(principal.id, () => begin?.());
    if (giveUp === undefined) return undefined;
    ask.onEnd(giveUp);
    return new Promise((resolve) => (begin = resolve));
  };
  return { admit: take, leave: take };
}
