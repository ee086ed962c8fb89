import { describeValue } from '../errors/describe-value.ts';

/** The limit of a request; positions of the oldest replies go first. */
const MOST_POSITIONS = 64;

/** The states that a client was shown. A reply's position replaces those that its request sent. */
export class ShownPositions {
  #positions: readonly string[] = [];

  get all(): readonly string[] {
    return this.#positions;
  }

  add(position: string): void {
    this.#replace([], position);
  }

  /** @param asked the positions that the request sent */
  noteReply(asked: readonly string[], position: string | null): void {
    if (position !== null) this.#replace(asked, position);
  }

  /** For positions that the service does not understand. */
  forget(asked: readonly string[]): void {
    this.#positions = this.#positions.filter((one) => !asked.includes(one));
  }

  #replace(asked: readonly string[], position: string): void {
    const others = this.#positions.filter((one) => !asked.includes(one) && one !== position);
    this.#positions = [...others, position].slice(-MOST_POSITIONS);
  }
}

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
