import { hash } from 'node:crypto';

/** What a connection knows of the server that it reached. */
export interface Reached {
  /** The number of the session, as the server says. */
  readonly threadId: string;
  /** The number in the greeting of whoever took the connection. */
  readonly greetedAs: number;
  /** What the server answers when it is asked which process it is. */
  readonly answer: readonly (readonly unknown[])[];
}

/** Whether the session that answers is the one that took the connection. */
export function isDirect({
  threadId,
  greetedAs,
}: Pick<Reached, 'threadId' | 'greetedAs'>): boolean {
  return BigInt.asUintN(32, BigInt(threadId)) === BigInt(greetedAs);
}

/**
 * Which process of which server a connection reached, as a short text. Undefined behind a proxy
 * that speaks the protocol itself: its sessions have numbers of their own, and each statement may
 * go to another server.
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
