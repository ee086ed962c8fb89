import type { NoKeyReason } from '@proj/contract';

import type { Attribute, Model, OrderTerm } from './model.ts';

/**
 * The terms of the key up to the first date column of SQLite, exclusive: its stored forms sort in
 * another order than the dates that filters compare.
 */
export function comparedKey({ attributes, key }: Model): readonly OrderTerm[] {
  const stored = new Set(
    [...attributes.values()]
      .filter(({ storedAs }) => storedAs !== undefined)
      .map(({ column }) => column),
  );
  const first = key.findIndex(({ column }) => stored.has(column));
  return first === -1 ? key : key.slice(0, first);
}

/**
 * Why the caller sees no key of a model: a part of it is not shown, or several values of it are
 * shown alike. Undefined where what is shown names one record.
 */
export function missingKeyReason(model: Model): NoKeyReason | undefined {
  const shown = new Set([...model.attributes.values()].map(({ column }) => column));
  if (!model.key.every(({ column }) => shown.has(column))) return 'not_visible';
  if (comparedKey(model).length < model.key.length) return 'stored_dates';
  const columns = new Set(model.key.map(({ column }) => column));
  const isAmbiguous = [...model.attributes.values()].some(
    ({ column, extremes }) => columns.has(column) && extremes.includes('empty_label'),
  );
  return isAmbiguous ? 'empty_label' : undefined;
}

/**
 * The attributes whose values name a record, in the order of the key. Undefined where a part of the
 * key has none, or more than one, which would take a value for it in two forms, or where values of
 * several records are shown alike.
 */
export function keyAttributes(model: Model): readonly Attribute[] | undefined {
  const attributes = [...model.attributes.values()];
  const parts = comparedKey(model).map(({ column }) =>
    attributes.filter((attribute) => attribute.column === column),
  );
  const isWhole =
    missingKeyReason(model) === undefined && parts.every(({ length }) => length === 1);
  return isWhole ? parts.flat() : undefined;
}
