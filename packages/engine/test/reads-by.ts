import type { Asked, Found, Read, ReadKind } from '../src/sources/read.ts';
import type { ReadCall, Reads } from '../src/sources/source.ts';

/** How each kind of reads is answered. */
type Answers<Kinds extends ReadKind> = {
  readonly [Kind in Kinds]: (asked: Asked<Kind>, call: ReadCall) => Promise<Found<Kind>>;
};

/** What answers reads as a test says. */
export function readsBy<Kinds extends ReadKind>(answers: Answers<Kinds>): Reads<Kinds> {
  return {
    read: <Kind extends Kinds>({ kind, asked }: Read<Kind>, call: ReadCall) =>
      answers[kind](asked, call),
  };
}
