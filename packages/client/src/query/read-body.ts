import { jsonPointer } from '@proj/contract';

import { describeValue } from '../errors/describe-value.ts';
import { InvalidReplyError } from '../errors/invalid-reply-error.ts';

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly expected?: unknown;
  readonly input?: unknown;
}

interface Schema<Body> {
  safeParse(
    body: unknown,
    params: { readonly reportInput: true },
  ):
    | { readonly success: true; readonly data: Body }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

/** @throws {InvalidReplyError} at the first mismatch. */
export function readBody<Body>(schema: Schema<Body>, body: unknown): Body {
  const reading = schema.safeParse(body, { reportInput: true });
  if (reading.success) return reading.data;
  const { path = [], expected, input } = reading.error.issues[0] ?? {};
  throw new InvalidReplyError({
    pointer: jsonPointer(path),
    expected:
      typeof expected === 'string' ? `the type ${expected}` : 'a value that the contract allows',
    got: describeValue(input),
  });
}
