/** The sections of docs/reference/contract.md in which rules are written, by their anchors. */
export const SECTIONS = [
  'the-query',
  'the-reply',
  'the-method-query',
  'filters-and-sorting',
  'relations',
  'lists-too-long-to-count',
  'the-page-that-holds-a-record',
  'exports',
  'lists-that-change',
  'related-counts',
  'groups',
  'facets',
  'values',
  'the-catalogue',
  'problems',
  'access',
  'headers',
  'health',
] as const;

export type Section = (typeof SECTIONS)[number];
