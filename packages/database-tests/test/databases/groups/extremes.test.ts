import { aggregatesOf } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import { fixturesOf } from '../../fixtures/index.ts';
import { recordsOf } from '../../lists.ts';
import { useTables } from '../everywhere.ts';
import { wireTypeOf } from '../tables.ts';
import { ASCENDING_KINDS, fullColumn, kindColumn, VALUES } from '../values.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** What the rows are grouped by. */
const PART = kindColumn('boolean');
const KINDS = ASCENDING_KINDS.filter((kind) => aggregatesOf(wireTypeOf(kind)).includes('min'));

describe('the first and the last value of groups, on every database', () => {
  const everywhere = useTables([VALUES], FIXTURES);

  it.each(KINDS)('are those of the order of %s', async (kind) => {
    const attribute = fullColumn(kind);
    for (const [name, engine] of everywhere.engines) {
      const sorted = await recordsOf(engine, {
        query_model: VALUES.name,
        query_attributes: [PART, attribute],
        query_sort: [{ attribute }],
      });
      const groups = await recordsOf(engine, {
        query_model: VALUES.name,
        query_groups: [PART],
        query_aggregates: [
          { name: 'first', op: 'min', attribute },
          { name: 'last', op: 'max', attribute },
        ],
      });
      const expected = groups.map((group) => {
        const members = sorted.filter((record) => record[PART] === group[PART]);
        const [first, last] = [members.at(0)?.[attribute], members.at(-1)?.[attribute]];
        return { [PART]: group[PART], first, last };
      });
      expect({ name, groups }).toEqual({ name, groups: expected });
    }
  });
});
