import { type Engine, EVERYTHING, type Grant, type IndexBuilds } from '@proj/engine';
import { expect } from 'vitest';

/** What deep pages are asked of. */
interface DeepList {
  readonly model: string;
  /** The attributes to sort by, upwards, or whole terms. */
  readonly sort?: readonly (string | object)[];
}

/** Asks for deep pages of a list until one index of it is built or has come to nothing. */
export async function deepPagesOf(
  engine: Engine,
  { model, sort }: DeepList,
  grant: Grant = EVERYTHING,
): Promise<IndexBuilds['ended']> {
  const terms = sort?.map((term) => (typeof term === 'string' ? { attribute: term } : term));
  const list = {
    query_model: model,
    query_attributes: ['id'],
    ...(terms && { query_sort: terms }),
  };
  // One that another list was worth may be under way.
  await expect.poll(() => engine.indexBuilds().begun - sumOf(endedOf(engine))).toBe(0);
  const before = endedOf(engine);
  await expect
    .poll(async () => {
      const page = 200 + Math.floor(Math.random() * 100);
      await engine.query({ ...list, page: { page, size: 10 } }, grant);
      return sumOf(endedOf(engine));
    })
    .toBeGreaterThan(sumOf(before));
  const after = endedOf(engine);
  return {
    built: after.built - before.built,
    outdated: after.outdated - before.outdated,
    refused: after.refused - before.refused,
    failed: after.failed - before.failed,
  };
}

/** What ended, of so many builds that ended one way. */
export function onlyEnded(outcome: keyof IndexBuilds['ended']): IndexBuilds['ended'] {
  return { built: 0, outdated: 0, refused: 0, failed: 0, [outcome]: 1 };
}

function endedOf(engine: Engine): IndexBuilds['ended'] {
  return engine.indexBuilds().ended;
}

function sumOf(ended: IndexBuilds['ended']): number {
  return Object.values(ended).reduce((sum, count) => sum + count, 0);
}
