import type { DescribedColumn, Refused } from '../described-column.ts';
import type { AttributeSettings, ModelError, ModelSettings } from '../model-settings.ts';
import type { Column, Relation } from '../relation.ts';

interface ComputedParts {
  readonly described: ReadonlyMap<string, DescribedColumn> | undefined;
  readonly errors: ModelError[];
}

export function withComputed(
  relation: Relation,
  model: ModelSettings,
  { described = new Map(), errors }: ComputedParts,
): { readonly relation: Relation; readonly model: ModelSettings } {
  const computed = computedAttributes(model);
  errors.push(...misplaced(model));
  if (computed.length === 0) return { relation, model };
  const taken = new Set(relation.columns.map(({ name }) => name.toLowerCase()));
  const columns: Column[] = [];
  const named = new Map(entriesOf(model));
  for (const [name, settings] of computed) {
    let column = name;
    // Databases may ignore case. In front, where no limit of a name's length cuts it off.
    while (taken.has(column.toLowerCase())) column = `_${column}`;
    taken.add(column.toLowerCase());
    const { sql, json, path: _, reads: __, ...others } = settings;
    const origins = [sql, json, others.column].filter((one) => one !== undefined);
    const found = origins.length === 1 ? described.get(name) : TWO_COLUMNS;
    if (found === undefined || 'problem' in found) {
      const { key = sql === undefined ? 'json' : 'sql', ...why } = found ?? NOT_DESCRIBED;
      errors.push({ path: ['attributes', name, key], ...why });
      // A column of its name is not what the settings show.
      if (relation.columns.some((one) => one.name === name)) named.set(name, { hidden: true });
      else named.delete(name);
    } else {
      named.set(name, { ...others, column });
      const { isLate = false, computed: value, ...facts } = found;
      const reads = isLate ? { reads: namedIn(value.sql, relation) } : {};
      const computedBy = { ...value, ...reads, ...(sql !== undefined && { mayCall: true }) };
      const own = { name: column, nullable: true, description: null };
      columns.push({ ...facts, ...own, computed: computedBy });
    }
  }
  return {
    relation: { ...relation, columns: [...relation.columns, ...columns] },
    model: { ...model, attributes: named },
  };
}

type ComputedAttribute = readonly [name: string, settings: AttributeSettings];

export function computedAttributes(model: ModelSettings): ComputedAttribute[] {
  return entriesOf(model).filter(([, { sql, json }]) => sql !== undefined || json !== undefined);
}

export function entriesOf({ attributes }: ModelSettings): (readonly [string, AttributeSettings])[] {
  if (attributes === undefined || attributes === 'all') return [];
  return attributes instanceof Map ? [...attributes] : Object.entries(attributes);
}

/** At least the columns that the text names. */
function namedIn(text: string, { columns }: Relation): string[] {
  const words = text.toLowerCase();
  return columns.flatMap(({ name }) => {
    const forms = [name, name.replaceAll('`', '``')].map((form) => form.toLowerCase());
    return forms.some((form) => words.includes(form)) ? name : [];
  });
}

function misplaced(model: ModelSettings): ModelError[] {
  const paths = entriesOf(model).flatMap(([name, { json, path }]): ModelError[] =>
    json !== undefined || path === undefined
      ? []
      : [{ ...NO_JSON, path: ['attributes', name, 'path'] }],
  );
  const attributes = entriesOf(model).flatMap(([name, { sql, reads }]) =>
    sql === undefined && reads !== undefined ? [['attributes', name, 'reads']] : [],
  );
  const isOfModel = model.sql === undefined && model.reads !== undefined;
  const reads = [...attributes, ...(isOfModel ? [['reads']] : [])].map((path) => ({
    path,
    problem: '`reads` is about SQL of the settings, and there is none.',
    remedy: 'Add `sql`, or leave it out.',
  }));
  return [...paths, ...reads];
}

const NO_JSON = {
  problem: '`path` leads into a JSON column, and none is named.',
  remedy: 'Add `json`, the name of the column, or leave it out.',
};

const TWO_COLUMNS: Refused = {
  problem: 'It has several of `column`, `sql` and `json`.',
  remedy: 'Leave all but one of them out.',
};

const NOT_DESCRIBED: Refused = {
  problem: 'The database has no computed attributes.',
  remedy: 'Leave it out, or compute it in a view.',
};
