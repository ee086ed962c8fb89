import { InvalidReplyError } from '../errors/invalid-reply-error.ts';

interface Place {
  readonly pointer?: string;
  readonly within?: string;
  /** The media type that the service names. */
  readonly type?: string;
}

/** @throws {InvalidReplyError} when the text is not JSON. */
export function parseJson(text: string, { pointer = '', within = '', type = '' }: Place): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const got = `${text.length} characters ${type}that are not`;
    throw new InvalidReplyError({ pointer, expected: `a JSON text${within}`, got }, { cause });
  }
}
