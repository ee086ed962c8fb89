import { describeValue } from '../errors/describe-value.ts';

/** A request asks for so many positions at most; those of the oldest replies go first. */
const MOST_POSITIONS = 64;

/**
 * The states that a client was shown, so that no later reply shows an older one. Positions are
 * opaque here. A reply includes the positions that its request asked for, so its own position
 * replaces them.
 */
export class ShownPositions {
  #positions: readonly string[] = [];

  /** What the next request asks for. */
  get all(): readonly string[] {
    return this.#positions;
  }

  /** Asks for a position from now on. */
  add(position: string): void {
    this.#replace([], position);
  }

  /** Notes the position of a reply, whose request asked for others. */
  noteReply(asked: readonly string[], position: string | null): void {
    if (position !== null) this.#replace(asked, position);
  }

  /** Drops positions that the service does not understand. */
  forget(asked: readonly string[]): void {
    this.#positions = this.#positions.filter((one) => !asked.includes(one));
  }

  #replace(asked: readonly string[], position: string): void {
    const others = this.#positions.filter((one) => !asked.includes(one) && one !== position);
    this.#positions = [...others, position].slice(-MOST_POSITIONS);
  }
}

/** Whether a text can be a position in the log of a database. */
export function isPosition(text: string): boolean {
  return /^[\w@/.,-]{1,256}$/.test(text);
}

/** @throws {TypeError} when a text cannot be a position. */
export function readPosition(text: string): string {
  if (typeof text === 'string' && isPosition(text)) return text;
  throw new TypeError(
    `include: expected a position such as "0/16B3748" or "0-1-4711"; got ${describeValue(text)}`,
  );
}
