import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type SeenState, SimulatedServer } from '../../../test/feed/simulated-server.ts';
import { type LogLimits, RelationLog } from './relation-log.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';

/** A read, from before its snapshot until it is done. */
interface Reader {
  readonly end: () => void;
  state?: SeenState;
  counts: boolean;
}

/** A log that is fed by a simulated server, and its readers. */
class FollowedRelation {
  readonly server = new SimulatedServer([1, 2, 3]);
  readonly log: RelationLog;
  readonly readers: Reader[] = [];
  /** What was seen of each version, and the version of what was seen. */
  readonly #byVersion = new Map<string, string>();
  readonly #bySeen = new Map<string, string>();
  /** How many totals were known, and what was wrong. */
  totals = 0;
  comparisons = 0;
  readonly mistakes: unknown[] = [];
  #fed = 0;

  constructor(limits?: LogLimits) {
    this.server.begin();
    this.server.toggle(0, 4);
    this.server.commit(0);
    // The first commit record is before all that is fed, and its commit is not visible yet.
    this.#fed = 1;
    this.log = new RelationLog(this.server.nextXid - 1n, limits);
  }

  feed(position = this.server.log.length): void {
    for (; this.#fed < position; this.#fed++) {
      const change = this.server.log[this.#fed];
      if (change !== undefined) this.log.append(change);
    }
  }

  beginRead(counts: boolean): void {
    this.readers.push({ end: this.log.beginRead(), counts });
  }

  takeSnapshot(which: number): void {
    const reader = this.readers[which % this.readers.length];
    if (reader !== undefined) reader.state ??= this.server.snapshot();
  }

  /** Looks at the log, which has reached the position of the snapshot. */
  look(which: number): void {
    const reader = this.readers[which % this.readers.length];
    if (reader?.state === undefined) return;
    const { snapshot, rows, seen, position } = reader.state;
    this.feed(position);
    this.log.noteSnapshot(snapshot);
    if (reader.counts) this.log.learnTotal(snapshot, BigInt(rows.length));
    this.#check(this.log.version(snapshot), seen);
    this.#lookAtOthers(reader.state);
    const total = this.log.total(snapshot);
    if (total === undefined) return;
    this.totals += 1;
    if (total !== BigInt(rows.length)) this.mistakes.push({ total, rows });
  }

  /** Rows may differ from those of another read only if the log has their keys. */
  #lookAtOthers({ snapshot, rows }: SeenState): void {
    for (const { state: other } of this.readers) {
      if (other === undefined || other.position > this.#fed) continue;
      const keys = this.log.differingKeys(snapshot, other.snapshot);
      if (keys === undefined) continue;
      this.comparisons += 1;
      const [mine, others] = [new Set(rows), new Set(other.rows)];
      const differing = [...rows, ...other.rows].filter((row) => mine.has(row) !== others.has(row));
      const missing = differing.filter((row) => !keys.has(JSON.stringify([String(row)])));
      if (missing.length > 0) this.mistakes.push({ missing, keys });
    }
  }

  endRead(which: number): void {
    const [reader] = this.readers.splice(which % Math.max(1, this.readers.length), 1);
    reader?.end();
  }

  #check(version: string | undefined, seen: string): void {
    if (version === undefined) return;
    const [seenThen, versionThen] = [this.#byVersion.get(version), this.#bySeen.get(seen)];
    if ((seenThen ?? seen) !== seen) this.mistakes.push({ version, seen, seenThen });
    if ((versionThen ?? version) !== version) this.mistakes.push({ seen, version, versionThen });
    this.#byVersion.set(version, seen);
    this.#bySeen.set(seen, version);
  }
}

const ACTIONS: Record<string, (followed: FollowedRelation, which: number) => void> = {
  begin: ({ server }) => server.begin(),
  write: ({ server }, which) => server.toggle(which, which % 17),
  writeAgain: ({ server }, which) => server.toggle(which, which % 23),
  commit: ({ server }, which) => server.commit(which),
  show: ({ server }, which) => server.show(which),
  rollBack: ({ server }, which) => server.rollBack(which),
  truncate: ({ server, readers }) => {
    if (server.isQuiet && readers.length === 0) server.truncate();
  },
  feedOne: (followed) => followed.feed(),
  read: (followed) => followed.beginRead(false),
  count: (followed) => followed.beginRead(true),
  snapshot: (followed, which) => followed.takeSnapshot(which),
  look: (followed, which) => followed.look(which),
  lookAgain: (followed, which) => followed.look(which),
  endRead: (followed, which) => followed.endRead(which),
};

const STEPS = fc.array(fc.tuple(fc.constantFrom(...Object.keys(ACTIONS)), fc.nat(1000)), {
  minLength: 40,
  maxLength: 150,
  size: 'max',
});

function run(steps: readonly (readonly [string, number])[], limits?: LogLimits): FollowedRelation {
  const followed = new FollowedRelation(limits);
  for (const [action, which] of steps) ACTIONS[action]?.(followed, which);
  return followed;
}

describe('the log of a relation', () => {
  it('has the total of each snapshot, the keys of what differs in two, and one version for each set of transactions', () => {
    let [totals, comparisons] = [0, 0];
    fc.assert(
      fc.property(STEPS, (steps) => {
        const followed = run(steps);
        expect(followed.mistakes).toEqual([]);
        totals += followed.totals;
        comparisons += followed.comparisons;
      }),
      { numRuns: 1500 },
    );
    expect(totals).toBeGreaterThan(1500);
    expect(comparisons).toBeGreaterThan(1500);
  });

  it('is exact when it keeps few changes, and drops what is too much', () => {
    let totals = 0;
    fc.assert(
      fc.property(STEPS, (steps) => {
        const followed = run(steps, { changes: 3, rows: 5 });
        expect(followed.mistakes).toEqual([]);
        totals += followed.totals;
      }),
      { numRuns: 1000 },
    );
    expect(totals).toBeGreaterThan(500);
  });
});

const READ = TransactionSnapshot.parse('12:12:');

describe('a log', () => {
  it('knows nothing of snapshots that may not see what was never appended', () => {
    const log = new RelationLog(11n);
    const early = TransactionSnapshot.parse('11:13:11');
    expect(log.version(early)).toBeUndefined();
    expect(log.learnTotal(early, 5n)).toBe(false);
    expect(log.version(READ)).toBe('11');
    expect(log.total(READ)).toBeUndefined();
    expect(log.learnTotal(READ, 5n)).toBe(true);
    expect(log.total(READ)).toBe(5n);
    expect(log.total(early)).toBeUndefined();
  });

  it('names the changes that a snapshot does not see before those that it sees', () => {
    const log = new RelationLog(11n);
    for (const xid of [12n, 13n, 14n])
      log.append({ xid, rows: [{ came: [`${xid}`] }], truncated: false });
    const versions = ['12:12:', '13:13:', '12:14:12', '12:15:12,13', '15:15:'].map((text) =>
      log.version(TransactionSnapshot.parse(text)),
    );
    expect(versions).toEqual(['11', '12', '13-12', '14-12-13', '14']);
  });

  it('keeps a change until the reads have ended that do not see it, and so the next', () => {
    const log = new RelationLog(11n);
    let later = READ;
    for (const xid of [12n, 13n]) {
      const before = later;
      const [endFirst, endSecond] = [log.beginRead(), log.beginRead()];
      log.append({ xid, rows: [{ came: [`${xid}`] }], truncated: false });
      log.learnTotal(before, 5n);
      later = TransactionSnapshot.parse(`${xid + 1n}:${xid + 1n}:`);
      log.noteSnapshot(later);
      const endThird = log.beginRead();
      endFirst();
      expect([log.size, log.total(before), log.total(later)]).toEqual([1, 5n, 6n]);
      expect(log.bytes).toBeGreaterThan(0);
      endSecond();
      expect([log.size, log.total(before), log.total(later)]).toEqual([0, undefined, 6n]);
      expect(log.bytes).toBe(0);
      expect(log.version(before)).toBeUndefined();
      endThird();
    }
  });

  it.each([
    { changes: 2, rows: 10 },
    { changes: 10, rows: 2 },
  ])(
    'that keeps more than $changes changes or $rows rows is of use to who sees it all',
    (limits) => {
      const log = new RelationLog(11n, limits);
      log.learnTotal(READ, 5n);
      for (const xid of [12n, 13n, 14n])
        log.append({ xid, rows: [{ came: [`${xid}`] }], truncated: false });
      const totals = ['14:14:', '14:16:14', '15:15:'].map((text) =>
        log.total(TransactionSnapshot.parse(text)),
      );
      expect([log.size, ...totals]).toEqual([0, undefined, undefined, 8n]);
    },
  );

  it('is of use to snapshots behind all that it drops, in whatever order that was committed', () => {
    const log = new RelationLog(11n, { changes: 1, rows: 10 });
    for (const xid of [14n, 12n]) log.append({ xid, rows: [], truncated: false });
    const usable = ['13:15:13', '14:14:', '15:15:'].map((text) =>
      log.isUsable(TransactionSnapshot.parse(text)),
    );
    expect(usable).toEqual([false, false, true]);
  });

  it('has changes from before it knew its first transaction, and is of use only from then on', () => {
    const [whole, dropped] = [
      new RelationLog(),
      new RelationLog(undefined, { changes: 1, rows: 9 }),
    ];
    for (const log of [whole, dropped])
      for (const xid of [12n, 14n]) log.append({ xid, rows: [{ came: ['1'] }], truncated: false });
    const [late, early] = ['15:15:', '13:13:'].map((text) => TransactionSnapshot.parse(text));
    const usable = (log: RelationLog): unknown =>
      [late, early].map((snapshot) => snapshot && log.isUsable(snapshot));
    expect(whole.hasBegun || dropped.hasBegun).toBe(false);
    expect([whole, dropped].map(usable)).toEqual([Array(2).fill(false), Array(2).fill(false)]);
    for (const log of [whole, dropped]) log.begin(11n);
    expect([whole, dropped].map(usable)).toEqual([
      [true, true],
      [true, false],
    ]);
    expect(late && whole.version(late)).toBe('14');
    expect(late && dropped.version(late)).toBe('14');
    expect(early && whole.version(early)).toBe('12');
  });

  it.each([
    { of: 'changes', most: 20_000, append: 20_001, rows: 0 },
    { of: 'rows', most: 2, append: 3, rows: 50_000 },
  ])('keeps $most changes of $rows rows each and no more, for its limit of $of', (facts) => {
    const log = new RelationLog(0n);
    const rows = Array.from({ length: facts.rows }, () => ({}));
    const sizes: number[] = [];
    for (let place = 1; place <= facts.append; place++) {
      log.append({ xid: BigInt(place), rows, truncated: false });
      sizes.push(log.size);
    }
    expect([sizes.at(-2), sizes.at(-1)]).toEqual([facts.most, 0]);
  });

  it('has the keys of what exactly one of two snapshots sees, before and after each change', () => {
    const log = new RelationLog(9n);
    const changes = [{ came: ['a'] }, { came: ['c'], went: ['b'] }, { stays: ['d'] }, {}];
    for (const [place, row] of changes.entries())
      log.append({ xid: 10n + BigInt(place), rows: [row, row], truncated: false });
    const keys = (one: string, other: string): unknown => {
      const [first, second] = [one, other].map((text) => TransactionSnapshot.parse(text));
      const found = first && second && log.differingKeys(first, second);
      return found && [...found].join('');
    };
    expect(keys('10:10:', '14:14:')).toBe('["a"]["c"]["b"]["d"]');
    expect(keys('10:13:10,11', '10:12:11')).toBe('["a"]["d"]');
    expect(keys('10:12:11', '10:13:10,11')).toBe('["a"]["d"]');
    expect(keys('11:11:', '11:11:')).toBe('');
    expect(keys('9:14:', '14:14:')).toBeUndefined();
    expect(keys('14:14:', '9:14:')).toBeUndefined();
  });

  it('does not know what differs by a change that does not list its rows', () => {
    const log = new RelationLog(9n);
    log.append({ xid: 10n, rows: [], truncated: true });
    const [before, after] = ['10:10:', '11:11:'].map((text) => TransactionSnapshot.parse(text));
    if (before === undefined || after === undefined) throw new Error('There are two snapshots.');
    expect(log.differingKeys(before, after)).toBeUndefined();
    expect(log.differingKeys(after, after)).toEqual(new Set());
  });

  it('folds nothing by a snapshot that may not see what was never appended', () => {
    const log = new RelationLog(11n);
    const end = log.beginRead();
    log.noteSnapshot(TransactionSnapshot.parse('11:13:11'));
    end();
    expect(log.version(READ)).toBe('11');
  });

  it('has no total from a truncate on until a count that every read sees after it', () => {
    const log = new RelationLog(11n);
    log.learnTotal(READ, 5n);
    log.append({ xid: 12n, rows: [], truncated: true });
    const later = TransactionSnapshot.parse('13:13:');
    expect([log.total(READ), log.total(later), log.unseenRows(READ)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const end = log.beginRead();
    log.noteSnapshot(later);
    expect(log.learnTotal(later, 0n)).toBe(false);
    end();
    expect(log.learnTotal(later, 0n)).toBe(true);
    expect([log.total(later), log.version(later)]).toEqual([0n, '12']);
  });

  it('gives listeners every change, and calls them when what they know no longer holds', () => {
    const log = new RelationLog(11n);
    const heard: string[] = [];
    const listener = {
      append: ({ xid }: { xid: bigint }) => void heard.push(`append ${xid}`),
      forget: () => void heard.push('forget'),
    };
    log.listen(listener);
    log.append({ xid: 12n, rows: [], truncated: false });
    log.append({ xid: 13n, rows: [], truncated: true });
    log.forget();
    log.unlisten(listener);
    log.append({ xid: 14n, rows: [], truncated: false });
    expect(heard).toEqual(['append 12', 'append 13', 'forget', 'forget']);
  });
});
