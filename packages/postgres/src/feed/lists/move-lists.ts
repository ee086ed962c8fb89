import type { KeyTexts, RowChange } from '../changes/changes.ts';
import type { AskRow, BaseReads, FoundTwice } from './base-reads.ts';
import type { BaseSnapshot } from './base.ts';
import type { FilteredTotal, FilteredTotals } from './filtered-totals.ts';
import type { FollowedList, OrderedLists } from './ordered-lists.ts';
import { countOf, type RowQuestion } from './touched-rows.ts';

/** The lists of a relation, which move on to another base snapshot together. */
export interface MovingLists {
  readonly totals: FilteredTotals;
  readonly ordered: Pick<OrderedLists, 'asked'>;
  readonly reads: Pick<BaseReads, 'compareNext' | 'askAt'>;
  /** Whether the next snapshot has to show that it is one of the same schema, without keys too. */
  readonly mustProve: boolean;
}

/**
 * Moves lists on to the next base snapshot, all of them in one moment. Returns whether what they
 * have in it is known.
 *
 * @param keys of the rows that may differ between the two
 */
export async function moveLists(
  { totals, ordered, reads, mustProve }: MovingLists,
  next: BaseSnapshot,
  keys: ReadonlySet<string>,
): Promise<boolean> {
  const { relation, base } = totals;
  const counted = totals.all();
  const lists = ordered.asked(relation.token);
  const isAsked = keys.size > 0 || mustProve;
  if (isAsked && counted.length + lists.length > 0) {
    const touched = totals.rowsOf([
      ...counted.map(({ filter }) => countOf(filter)),
      ...lists.map(questionOf),
    ]);
    const found = await reads.compareNext(base, next, { relation, keys, touched });
    if (found === undefined) return false;
    const counts = found.slice(0, counted.length);
    const moved = found.slice(counted.length).map(movedRows);
    await placeKeys(lists, moved, (work) => reads.askAt(next, relation, work));
    for (const [place, one] of counts.entries()) noteFound(counted[place], one, next);
    for (const [place, rows] of moved.entries()) moveList(lists[place], rows);
    // What began meanwhile was not asked for.
    for (const total of totals.all()) if (!counted.includes(total)) totals.drop(total.filter);
    for (const one of ordered.asked(relation.token)) if (!lists.includes(one)) one.list.forget();
  }
  if (keys.size > 0) totals.changedAt = next.takenAt;
  totals.base = next;
  return true;
}

function noteFound(total: FilteredTotal | undefined, found: FoundTwice, next: BaseSnapshot): void {
  if (total === undefined) return;
  total.rows += differenceOf(found);
  if (found.before.count + found.now.count > 0) total.changedAt = next.takenAt;
}

/** What is asked for an ordered list. */
export function questionOf({ filter, columns }: FollowedList): RowQuestion {
  if (filter === undefined) throw new Error('The log says how the rows of this list moved.');
  return { filter, columns };
}

/** How many rows of a list came from one snapshot to the other, less those that went. */
export function differenceOf({ before, now }: FoundTwice): bigint {
  return BigInt(now.count - before.count);
}

/** The rows that went, and those that came; none that stayed where they were. */
export function movedRows({ before, now }: FoundTwice): RowChange[] {
  const left = new Map<string, number>();
  for (const texts of now.keys) add(left, texts, 1);
  const went = before.keys.flatMap((texts) => (add(left, texts, -1) < 0 ? { went: texts } : []));
  const came = now.keys.flatMap((texts) => (add(left, texts, -1) >= 0 ? { came: texts } : []));
  return [...went, ...came];
}

/** Returns the sum. */
function add(sums: Map<string, number>, texts: KeyTexts, rows: 1 | -1): number {
  const name = JSON.stringify(texts);
  const sum = (sums.get(name) ?? 0) + rows;
  sums.set(name, sum);
  return sum;
}

/** Has the database place the rows of lists that it sorts. */
async function placeKeys(
  lists: readonly FollowedList[],
  moved: readonly (readonly RowChange[])[],
  askAt: (work: (ask: AskRow) => Promise<void>) => Promise<unknown>,
): Promise<void> {
  if (lists.every(({ placing }, index) => placing?.knows(moved[index] ?? []) !== false)) return;
  await askAt(async (ask) => {
    for (const [index, { placing }] of lists.entries())
      await placing?.place(moved[index] ?? [], ask);
  });
}

function moveList(kept: FollowedList | undefined, rows: readonly RowChange[]): void {
  if (kept === undefined) return;
  if (kept.placing?.knows(rows) === false) return kept.list.forget();
  kept.list.append({ rows });
  kept.placing?.clear();
}
