import { describe, expect, it } from 'vitest';

import { columnOf, tableOf } from '../../../test/unit/models.ts';
import { jsonPlaceSql } from './json-places.ts';

const RELATION = tableOf('items', [columnOf('id'), columnOf('stored', 'json')]);

const sqlOf = () => 'read';

describe('places of JSON columns', () => {
  const PLACE = { json: 'id', path: ['a'], type: 'text' } as const;

  it('are read where the database says that the column is JSON', () => {
    const declared = { relation: RELATION, model: {} };
    expect(jsonPlaceSql({ ...PLACE, json: 'stored' }, declared, sqlOf)).toBe('read');
    expect(jsonPlaceSql(PLACE, declared, sqlOf)).toMatchObject({
      problem: 'The column "id" is of type text, not json.',
    });
  });

  it('are read where the settings say so, whose word counts', () => {
    const model = { attributes: { document: { column: 'id', type: 'json' } } } as const;
    const hinted = { ...RELATION, typesAreHints: true };
    expect(jsonPlaceSql(PLACE, { relation: hinted, model }, sqlOf)).toBe('read');
    const refused = jsonPlaceSql(PLACE, { relation: RELATION, model }, sqlOf);
    expect(refused).toMatchObject({ remedy: 'Name a column of JSON, or use `sql`.' });
  });

  it('are refused where the database reads none', () => {
    const declared = { relation: RELATION, model: {} };
    for (const none of [undefined, () => undefined]) {
      const refused = jsonPlaceSql({ ...PLACE, json: 'stored' }, declared, none);
      expect(refused).toMatchObject({ problem: 'The database reads no places of this column.' });
    }
  });
});
