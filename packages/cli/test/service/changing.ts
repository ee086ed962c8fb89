import type { Answer, Received } from './answer.ts';
import type { Behaviour } from './service.ts';

/** Makes one change after each event of a watch, and none when there are no more. */
export function changing(changes: readonly (() => void)[]): NonNullable<Behaviour['after']> {
  const left = [...changes];
  async function* pieces(body: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const piece of body) {
      yield piece;
      if (piece.startsWith('id: ')) left.shift()?.();
    }
  }
  return (answer: Answer, { path }: Received) =>
    path.endsWith('/watch') && answer.status === 200
      ? { ...answer, body: pieces(answer.body as AsyncIterable<string>) }
      : answer;
}
