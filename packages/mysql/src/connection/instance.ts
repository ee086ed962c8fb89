import { hash } from 'node:crypto';

export interface Reached {
  readonly threadId: string;
  readonly greetedAs: number;
  readonly answer: readonly (readonly unknown[])[];
}

/** Whether no proxy stands in between: the session that answers took the connection. */
export function isDirect({
  threadId,
  greetedAs,
}: Pick<Reached, 'threadId' | 'greetedAs'>): boolean {
  return BigInt.asUintN(32, BigInt(threadId)) === BigInt(greetedAs);
}

/**
 * Which process of which server a connection reached. Undefined behind a proxy that speaks the
 * protocol itself: it numbers sessions itself and may send each statement to another server.
 */
export function instanceOf(reached: Reached): string | undefined {
  const [[variables, start] = []] = reached.answer;
  if (
    !isDirect(reached) ||
    typeof variables !== 'string' ||
    !Number.isInteger(Number(start ?? NaN))
  )
    return undefined;
  return hash('sha256', `${variables} ${Number(start)}`, 'base64url').slice(0, 22);
}
