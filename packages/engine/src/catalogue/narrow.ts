import type { Attribute, Catalogue, Model } from './model.ts';

/**
 * What both catalogues show, as the newer one has it. A schema that changed while the service runs must not show anything new before
 * the operator says so.
 */
export function narrowCatalogue(newer: Catalogue, older: Catalogue): Catalogue {
  return new Map(
    [...newer].flatMap(([name, model]) => {
      const known = older.get(name);
      return known === undefined ? [] : [[name, narrowModel(model, known)] as const];
    }),
  );
}

function narrowModel(newer: Model, older: Model): Model {
  const attributes: [string, Attribute][] = [...newer.attributes].filter(([name]) => older.attributes.has(name));
  return Object.freeze({ ...newer, attributes: new Map(attributes) });
}
