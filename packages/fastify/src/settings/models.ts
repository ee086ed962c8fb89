import { WIRE_TYPES, type WireType } from '@proj/contract';
import { STORED_AS } from '@proj/engine';
import * as z from 'zod';

import { listed, modelsByName, named, namedInOrder, names, shortFor } from './mappings.ts';

const date = z.iso.date('expected a date such as 2026-12-31');

/** Announces a removal. */
const deprecation = z.strictObject({
  since: date,
  sunset: date.optional(),
  note: z.string().optional(),
});

/** Only PostgreSQL has the others, and knows their columns. */
const DECLARED_TYPES = Object.keys(WIRE_TYPES).filter(
  (type) => !['interval', 'inet', 'range'].includes(type),
) as [WireType, ...WireType[]];

const attributeSettings = z.strictObject({
  column: z.string().min(1).optional(),
  sql: z.string().min(1).optional(),
  reads: z.literal('row').optional(),
  json: z.string().min(1).optional(),
  path: z
    .array(z.union([z.string(), z.int().min(0)], 'expected a name, or a number from 0'))
    .min(1)
    .optional(),
  type: z.enum(DECLARED_TYPES).optional(),
  stored_as: z.enum(STORED_AS).optional(),
  description: z.string().optional(),
  hidden: z.boolean().optional(),
  deprecated: deprecation.optional(),
});

const relationSettings = z.strictObject({
  attributes: z.array(z.string()).min(1),
  model: z.string(),
  key: z.array(z.string()).min(1),
  inverse: z.string().optional(),
});

const sortSettings = z.strictObject({
  attribute: z.string().min(1),
  direction: z.enum(['asc', 'desc']).default('asc'),
  nulls: z.enum(['first', 'last']).optional(),
});

const attributesByName = namedInOrder(z.string(), attributeSettings);

const modelSettings = z.strictObject({
  source: z.string().min(1).optional(),
  sql: z.string().min(1).optional(),
  reads: names.optional(),
  description: z.string().optional(),
  files: z.string().min(1).optional(),
  key: z.union([names, z.literal('rows')], 'expected a list of columns, or `rows`').optional(),
  attributes: z
    .union(
      [z.literal('all'), listed(attributesByName, {}), attributesByName],
      'expected `all`, a list of attributes, or a mapping of attributes by name',
    )
    .optional(),
  relations: named(z.string(), relationSettings).optional(),
  label: z.string().min(1).optional(),
  default_sort: z
    .array(
      z.union(
        [shortFor(sortSettings, [z.string().min(1)], (attribute) => ({ attribute })), sortSettings],
        'expected an attribute, or a mapping such as `{ attribute: id, direction: desc }`',
      ),
    )
    .optional(),
  max_page_size: z.int().min(1).optional(),
  distributed: z.literal('approximate').optional(),
  deprecated: deprecation.optional(),
});

const models = modelsByName(modelSettings);

/** Models by name, or a list of those that are shown as they are. */
export const modelsSettings = z.union(
  [listed(models, 'all'), models],
  'expected a list of models, or a mapping of models by name',
);

export type ModelsSettings = z.output<typeof modelsSettings>;
