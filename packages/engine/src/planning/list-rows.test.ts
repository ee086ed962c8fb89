import { describe, expect, it } from 'vitest';

import { planOf } from '../../test/unit/models.ts';
import { tableRows } from './list-rows.ts';

describe('the rows of a model', () => {
  const { model } = planOf().rows;

  it('are those of its relation, and have its name', () => {
    expect(tableRows(model)).toMatchObject({ name: 'notes', relations: [['notes']] });
  });

  it.each([
    [true, true, ['notes']],
    [true, false, undefined],
    [false, true, undefined],
    [false, false, undefined],
  ])(
    'with versions: %j, with snapshots: %j are followed as those of %j',
    (versioned, snapshots, followable) => {
      const { facts } = tableRows({ ...model, versioned, snapshots });
      expect(facts).toMatchObject({ versioned, hasSnapshots: snapshots });
      expect(facts.followable).toEqual(followable);
    },
  );
});
