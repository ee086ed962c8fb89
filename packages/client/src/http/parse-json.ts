import { InvalidReplyError } from '../errors/invalid-reply-error.ts';

/** What a text is part of, for the error where it is no JSON. */
interface Place {
  readonly pointer?: string;
  /** What the text is in. */
  readonly within?: string;
  /** What the service says that the text is. */
  readonly type?: string;
}

/**
 * Reads a JSON text.
 *
 * @throws {InvalidReplyError} when it is none.
 */
export function parseJson(text: string, { pointer = '', within = '', type = '' }: Place): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const got = `${text.length} characters ${type}that are not`;
    throw new InvalidReplyError({ pointer, expected: `a JSON text${within}`, got }, { cause });
  }
}
