import { hash } from 'node:crypto';

import { catalogueDocument } from './document.ts';
import type { Grant } from './grant.ts';
import type { Catalogue } from './model.ts';

const known = new WeakMap<Catalogue, WeakMap<Grant, string>>();

/** 27 characters of base64url, equal only for equal documents. Computed once for each. */
export function catalogueTag(catalogue: Catalogue, grant: Grant): string {
  let tags = known.get(catalogue);
  if (tags === undefined) known.set(catalogue, (tags = new WeakMap()));
  let tag = tags.get(grant);
  if (tag === undefined) tags.set(grant, (tag = tagOf(catalogue, grant)));
  return tag;
}

function tagOf(catalogue: Catalogue, grant: Grant): string {
  return hash('sha1', JSON.stringify(catalogueDocument(catalogue, grant)), 'base64url');
}
