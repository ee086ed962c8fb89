import { describe, expect, it } from 'vitest';

import { buildOf, columnOf, tableOf } from '../../../test/unit/models.ts';
import type { ExposeSettings, ModelSettings } from '../model-settings.ts';

const cities = tableOf(
  'cities',
  [columnOf('id', 'int64', false), columnOf('name'), columnOf('founded', 'other')],
  { typesAreHints: true },
);

function build(model: ModelSettings, settings: Partial<ExposeSettings> = {}, relation = cities) {
  return buildOf([relation], { expose: 'listed', models: { cities: model }, ...settings });
}

function names(model: ModelSettings, settings: Partial<ExposeSettings> = {}): string[] {
  return [...(build(model, settings).catalogue.get('cities')?.attributes.keys() ?? [])];
}

describe('the attributes of a model', () => {
  it('must be named where only what is named is exposed', () => {
    const { catalogue, reports } = build({});
    expect(catalogue.size).toBe(0);
    expect(reports[0]?.remedy).toBe(
      'Write "attributes: all", or name some of these columns: id, name, founded.',
    );
  });

  it('are every column where the settings say so', () => {
    expect(names({ attributes: 'all' })).toEqual(['id', 'name', 'founded']);
  });

  it('are those that are named, in the order of the settings', () => {
    expect(names({ attributes: { name: {}, id: {} } })).toEqual(['name', 'id']);
  });

  it('are refined, and the others visible as they are, where everything is exposed', () => {
    expect(
      names(
        { attributes: { title: { column: 'name' }, founded: { hidden: true } } },
        { expose: 'all' },
      ),
    ).toEqual(['title', 'id']);
  });

  it('take name, description, type and deprecation from the settings', () => {
    const attributes = {
      since: {
        column: 'founded',
        type: 'date',
        description: 'Ours',
        deprecated: { since: '2026-01-01' },
      },
    } as const;
    expect(build({ attributes }).catalogue.get('cities')?.attributes.get('since')).toMatchObject({
      name: 'since',
      column: 'founded',
      type: 'date',
      description: 'Ours',
      deprecated: { since: '2026-01-01' },
    });
  });

  it('keep the type that the database knows', () => {
    const { reports } = build(
      { attributes: { id: { type: 'text' } } },
      {},
      { ...cities, typesAreHints: false },
    );
    expect(reports).toMatchObject([
      { path: ['models', 'cities', 'attributes', 'id', 'type'], listed: true },
    ]);
  });

  it('are reported one by one where the database has no such column, and the others stay', () => {
    const { catalogue, reports } = build({ attributes: { id: {}, nmae: {}, x: { column: 'y' } } });
    expect(reports.map(({ path }) => path.join('.'))).toEqual([
      'models.cities.attributes.nmae',
      'models.cities.attributes.x.column',
    ]);
    expect([...(catalogue.get('cities')?.attributes.keys() ?? [])]).toEqual(['id']);
  });

  it('may have names of any length, unless computed, whose names a database would cut', () => {
    const name = 'ü'.repeat(32);
    const columns = cities.columns.flatMap((column) => [column, { ...column, name }]).slice(0, 2);
    const { catalogue, reports } = build({ attributes: 'all' }, {}, { ...cities, columns });
    expect(reports).toEqual([]);
    expect(catalogue.get('cities')?.attributes.has(name)).toBe(true);
    const computed = { sql: 'id', isOfRow: true };
    const named = columns.map((column) =>
      column.name === name ? { ...column, computed } : column,
    );
    expect(build({ attributes: 'all' }, {}, { ...cities, columns: named }).reports).toMatchObject([
      { problem: `"${name}" is too long for a computed attribute.` },
    ]);
  });

  it('cannot all be hidden', () => {
    const { catalogue, reports } = build({ attributes: { id: { hidden: true } } });
    expect(catalogue.size).toBe(0);
    expect(reports[0]?.problem).toBe('Every attribute is hidden.');
  });
});

describe('the default order of a model', () => {
  it('puts NULL where the largest value is unless it says otherwise', () => {
    const defaultSort = [{ attribute: 'name', direction: 'desc' as const }];
    expect(
      build({ attributes: 'all', defaultSort }).catalogue.get('cities')?.defaultOrder,
    ).toMatchObject([{ column: 'name', direction: 'desc', nulls: 'first' }]);
  });

  it('can only name attributes that have an order', () => {
    const { reports } = build({
      attributes: 'all',
      defaultSort: [{ attribute: 'founded', direction: 'asc' }],
    });
    expect(reports).toMatchObject([
      { path: ['models', 'cities', 'defaultSort', '0', 'attribute'], remedy: 'It has: id, name.' },
    ]);
  });
});
