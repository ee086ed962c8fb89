import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { RunningReads } from './relation-log.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';

/** A snapshot that was noted, and the reads that ran then, which may not see all of it. */
interface Noted {
  readonly snapshot: TransactionSnapshot;
  readonly running: readonly number[];
}

/** A relation's reads, and what is to be returned when one of them ends. */
class ModelOfReads {
  readonly reads = new RunningReads();
  #running: number[] = [];
  #noted: Noted | undefined;
  /** What ends of reads have returned, beside what they should have. */
  readonly returned: (readonly [found: unknown, expected: unknown])[] = [];

  begin(): void {
    this.#running.push(this.reads.begin());
  }

  note(xid: number): void {
    const snapshot = TransactionSnapshot.parse(`${xid}:${xid}:`);
    this.reads.note(snapshot);
    this.#noted ??= { snapshot, running: [...this.#running] };
  }

  end(which: number): void {
    const [read] = this.#running.splice(which % Math.max(1, this.#running.length), 1);
    if (read === undefined) return;
    const isSeen = this.#noted?.running.every((other) => !this.#running.includes(other)) ?? false;
    this.returned.push([this.reads.end(read), isSeen ? this.#noted?.snapshot : undefined]);
    if (isSeen) this.#noted = undefined;
  }
}

it('the first snapshot that was noted is returned when all reads have ended that ran then', () => {
  const action = fc.tuple(fc.constantFrom('begin', 'note', 'end'), fc.nat(1000));
  let returned = 0;
  fc.assert(
    fc.property(fc.array(action, { minLength: 10, maxLength: 60 }), (actions) => {
      const model = new ModelOfReads();
      for (const [kind, which] of actions) {
        if (kind === 'begin') model.begin();
        else if (kind === 'note') model.note(which);
        else model.end(which);
      }
      const found = model.returned.map(([snapshot]) => snapshot);
      expect(found).toEqual(model.returned.map(([, snapshot]) => snapshot));
      returned += found.filter((snapshot) => snapshot !== undefined).length;
    }),
    { numRuns: 300 },
  );
  expect(returned).toBeGreaterThan(300);
});
