import type { NoKeyReason } from '@proj/contract';

import type { Attribute, Model, OrderTerm } from './model.ts';

/** Up to SQLite's first date column: stored forms sort unlike the dates that filters compare. */
export function comparedKey({ attributes, key }: Model): readonly OrderTerm[] {
  const stored = new Set(
    [...attributes.values()]
      .filter(({ storedAs }) => storedAs !== undefined)
      .map(({ column }) => column),
  );
  const first = key.findIndex(({ column }) => stored.has(column));
  return first === -1 ? key : key.slice(0, first);
}

/** A part of the key is hidden, or several values look alike. Undefined with a key. */
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

/** Undefined where a key part has no attribute, or several, or values of records look alike. */
export function keyAttributes(model: Model): readonly Attribute[] | undefined {
  const attributes = [...model.attributes.values()];
  const parts = comparedKey(model).map(({ column }) =>
    attributes.filter((attribute) => attribute.column === column),
  );
  const isWhole =
    missingKeyReason(model) === undefined && parts.every(({ length }) => length === 1);
  return isWhole ? parts.flat() : undefined;
}
