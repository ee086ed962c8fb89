import type { ModelEntry } from '@proj/client';
import { operatorsOf, type WireType } from '@proj/contract';

/** An attribute as in the catalogue. */
export function attributeOf(
  name: string,
  type: WireType,
  nullable = true,
): ModelEntry['attributes'][number] {
  return {
    name,
    type,
    nullable,
    description: null,
    operators: operatorsOf(type),
    sortable: type !== 'json',
  };
}

/** A small model for tests. */
export const CITIES: ModelEntry = {
  name: 'cities',
  description: 'Places',
  attributes: [
    attributeOf('id', 'int64', false),
    attributeOf('name', 'text', false),
    attributeOf('population', 'int32'),
    attributeOf('area', 'decimal'),
  ],
  key: ['id'],
  default_sort: [],
  max_page_size: 1000,
};
