import type { Attribute, Model, OrderTerm } from './model.ts';

/**
 * The terms of the key before the first that is ordered as it is stored, though it is compared in
 * another form.
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
 * The attributes whose values name a record, in the order of the key. Undefined where a part of the
 * key has none, or more than one, which would take a value for it in two forms.
 */
export function keyAttributes(model: Model): readonly Attribute[] | undefined {
  const attributes = [...model.attributes.values()];
  const parts = comparedKey(model).map(({ column }) =>
    attributes.filter((attribute) => attribute.column === column),
  );
  const isWhole = parts.length === model.key.length && parts.every(({ length }) => length === 1);
  return isWhole ? parts.flat() : undefined;
}
