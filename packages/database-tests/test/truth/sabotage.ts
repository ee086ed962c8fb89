import { vi } from 'vitest';

import { DataVersion } from '../../../engine/src/reading/sharing/data-version.ts';
import { FacetReader } from '../../../engine/src/reading/facets/facet-reader.ts';
import { PageReader } from '../../../engine/src/reading/page-reader.ts';
import { KnownTotals } from '../../../engine/src/reading/unchanged/known-totals.ts';
import type { Question } from '../../../engine/src/reading/reader.ts';
import { SingleFlight } from '../../../engine/src/reading/sharing/single-flight.ts';
import { RecordStatements } from '../../../engine/src/sql/compile/compile-record.ts';
import { changeMethod } from '../changed-method.ts';
import { FULL_SPEED, OFTEN } from './paces.ts';
import type { Pace } from './writers.ts';

/** A mechanism of the engine that is broken in place. */
export interface Sabotage {
  /** What the mechanism does then. */
  readonly does: string;
  /** Whether lists that are followed can do without it from their first page on. Default: no. */
  readonly isUnfollowed?: true;
  /** When others write; never where undefined. */
  readonly pace: Pace | undefined;
  /** Breaks it, until vitest restores what was spied on. */
  readonly commit: () => void;
}

export const SABOTAGES: readonly Sabotage[] = [
  {
    does: 'a version check finds every version unchanged',
    pace: OFTEN,
    commit: () => {
      let asked = '';
      vi.spyOn(DataVersion.prototype, 'mayBeCurrent').mockImplementation((version) => {
        asked = version;
        return true;
      });
      vi.spyOn(DataVersion.prototype, 'check').mockImplementation(() => Promise.resolve(asked));
    },
  },
  {
    does: 'a total is taken for one of the version that the rows have',
    pace: OFTEN,
    commit: () => {
      let seen: string | undefined;
      changeMethod(DataVersion, 'observe', (run, version) => {
        seen = version;
        run(version);
      });
      vi.spyOn(DataVersion.prototype, 'mayBeCurrent').mockReturnValue(true);
      changeMethod(KnownTotals, 'total', (run, query) => {
        const known = run(query);
        return known && Object.defineProperty({ ...known }, 'version', { get: () => seen });
      });
    },
  },
  {
    does: 'an index leads one record too far',
    isUnfollowed: true,
    pace: undefined,
    commit: () => {
      changeMethod(KnownTotals, 'checkpoints', (run, ...list) => {
        const known = run(...list);
        return known && { ...known, rowsBefore: (index) => known.rowsBefore(index) - 1n };
      });
    },
  },
  {
    does: 'one record too many is counted before that of a page',
    pace: undefined,
    commit: () => {
      changeMethod(RecordStatements, 'countBefore', (run, range) => {
        const template = run(range);
        return { ...template, sql: template.sql.replace('count(*)', 'count(*) + 1') };
      });
    },
  },
  {
    does: 'a page has the digest of the records that were there before',
    pace: OFTEN,
    commit: () => {
      const first = new Map<string, () => string>();
      changeMethod(PageReader, 'read', async (run, question, call) => {
        const page = await run(question, call);
        const digest = first.get(question.key) ?? page.digest;
        first.set(question.key, digest);
        return { ...page, digest };
      });
    },
  },
  {
    does: 'facets are of another snapshot than their total',
    pace: FULL_SPEED,
    commit: () => {
      changeMethod(FacetReader, 'read', async (run, question, call) => {
        const { json: facets } = await run(question, call);
        const later = await run(question, call);
        const [total = ''] = later.json?.match(/,"total":"\d+"\}$/) ?? [];
        return { ...later, json: facets?.replace(/,"total":"\d+"\}$/, total) };
      });
    },
  },
  {
    does: 'a caller shares an answer that began before the caller came',
    pace: FULL_SPEED,
    commit: () => {
      const underWay = new Map<string, Promise<unknown>>();
      type Link = SingleFlight<Question, unknown>;
      const read = Reflect.get(SingleFlight.prototype, 'read') as Link['read'];
      vi.spyOn(SingleFlight.prototype, 'read').mockImplementation(function early(
        this: Link,
        question,
        call,
      ) {
        const { key } = question;
        const joined =
          underWay.get(key) ?? read.call(this, question, call).finally(() => underWay.delete(key));
        underWay.set(key, joined);
        return joined;
      });
    },
  },
];
