import type { ModelEntry } from '@proj/client';
import type { LinkedModel } from '@proj/contract';

import type { ExactRecord } from '../../values/exact-record.ts';
import { pathEnd } from '../related-models.ts';
import { allOf } from './filter-tree.ts';
import { operandText } from './operand-value.ts';
import { type Condition, FIRST_VIEW, type ViewState } from '../view-state.ts';

type Reference = NonNullable<ModelEntry['references']>[number];

/** A way from a record to others. */
export interface RecordLink {
  /** The attributes that hold the key of the other record, in whichever of the models. */
  readonly attributes: readonly string[];
  readonly model: string;
  readonly view: ViewState;
}

/**
 * The records that a record refers to. One whose attributes are NULL refers to none, and one of a
 * model that is not among these is left out.
 */
export function linksOut(
  models: readonly ModelEntry[],
  model: ModelEntry,
  record: ExactRecord,
): readonly RecordLink[] {
  return (model.references ?? []).flatMap(({ attributes, model: name, key }) => {
    const other = models.find((entry) => entry.name === name);
    const conditions = other && equalities(other, [key, attributes], record);
    if (!conditions) return [];
    const opened = keyTexts(other, recordOf(key, attributes, record));
    const view = { ...FIRST_VIEW, model: name, filter: allOf(...conditions), record: opened };
    return [{ attributes, model: name, view }];
  });
}

/**
 * The records to which a cell leads: those that its value refers to and, from a column along
 * references, the one that the value is of.
 */
export function linksOfCell(
  model: LinkedModel,
  attribute: string,
  record: ExactRecord,
): readonly RecordLink[] {
  const end = pathEnd(attribute, model);
  if (end === undefined) {
    const links = linksOut(model.others ?? [], model, record);
    return links.filter(({ attributes }) => attributes.includes(attribute));
  }
  const { way, model: other } = end;
  const attributes = other.key.map((name) => way + name);
  const conditions = equalities(other, [other.key, attributes], record);
  if (conditions === null || conditions.length === 0) return [];
  const opened = keyTexts(other, recordOf(other.key, attributes, record));
  const filter = allOf(...conditions);
  const view = { ...FIRST_VIEW, model: other.name, filter, record: opened };
  return [{ attributes, model: other.name, view }];
}

/** What is known about the other record: its key, under the names that the key has there. */
function recordOf(
  key: readonly string[],
  attributes: readonly string[],
  record: ExactRecord,
): ExactRecord {
  return Object.fromEntries(
    key.map((name, index) => [name, record[attributes[index] ?? ''] ?? 'null']),
  );
}

/** The lists of records that refer to a record, whether or not there are any. */
export function linksIn(
  models: readonly ModelEntry[],
  model: ModelEntry,
  record: ExactRecord,
): readonly RecordLink[] {
  return models.flatMap((other) =>
    referencesTo(model, other).flatMap(({ attributes, key }) => {
      const conditions = equalities(other, [attributes, key], record);
      if (conditions === null) return [];
      const view = { ...FIRST_VIEW, model: other.name, filter: allOf(...conditions) };
      return [{ attributes, model: other.name, view }];
    }),
  );
}

function referencesTo({ name }: ModelEntry, other: ModelEntry): readonly Reference[] {
  return (other.references ?? []).filter((reference) => reference.model === name);
}

/** That attributes have values of the record; `null` where one of those is NULL or unread. */
function equalities(
  model: ModelEntry,
  [names, from]: readonly [names: readonly string[], from: readonly string[]],
  record: ExactRecord,
): readonly Condition[] | null {
  const values = from.map((name) => record[name] ?? 'null');
  if (values.includes('null')) return null;
  return names.map((attribute, index) => {
    const text = operandText(typeOf(model, attribute), values[index] ?? '');
    return { attribute, operator: 'eq', operands: [text] };
  });
}

/** The texts of a record's key; `null` where the token sees none, or it was not read. */
export function keyTexts(model: ModelEntry, record: ExactRecord): readonly string[] | null {
  const { key } = model;
  const texts = key.flatMap((name) => {
    const value = record[name];
    return value === undefined ? [] : operandText(typeOf(model, name), value);
  });
  return key.length > 0 && texts.length === key.length ? texts : null;
}

function typeOf({ attributes }: ModelEntry, name: string): string {
  return attributes.find((attribute) => attribute.name === name)?.type ?? '';
}

/** The filter that selects the record of a key. */
export function keyFilter({ key }: ModelEntry, texts: readonly string[]) {
  return allOf(
    ...key.map((attribute, index): Condition => {
      return { attribute, operator: 'eq', operands: [texts[index] ?? ''] };
    }),
  );
}
