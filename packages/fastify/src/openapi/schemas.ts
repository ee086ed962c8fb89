import {
  aggregateRequestSchema,
  attributeSchema,
  binFacetSchema,
  catalogueSchema,
  containingPageSchema,
  errorSchema,
  exportRequestSchema,
  facetRequestSchema,
  facetsReplySchema,
  facetsRequestSchema,
  groupTermSchema,
  modelSchema,
  problemSchema,
  queryReplySchema,
  queryRequestSchema,
  referenceSchema,
  relatedRequestSchema,
  replyPageSchema,
  sortTermSchema,
  valueFacetSchema,
  watchRequestSchema,
} from '@proj/contract';
import { pageRequestSchema } from '@proj/paging/schema';
import * as z from 'zod';

import { filterSchemas } from './filter-schema.ts';
import type { Schema } from './schema.ts';
import { MEANINGS, MEMBERS } from './schema-texts.ts';

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({
  QueryRequest: queryRequestSchema,
  ExportRequest: exportRequestSchema,
  CsvRequest: exportRequestSchema.shape.export_csv.def.innerType,
  PageRequest: pageRequestSchema,
  ContainingPage: containingPageSchema,
  SortRequest: queryRequestSchema.shape.query_sort.def.innerType.def.element,
  GroupRequest: groupTermSchema,
  AggregateRequest: aggregateRequestSchema,
  RelatedRequest: relatedRequestSchema,
  FacetsRequest: facetsRequestSchema,
  FacetRequest: facetRequestSchema,
  FacetsReply: facetsReplySchema,
  ValueFacet: valueFacetSchema,
  BinFacet: binFacetSchema,
  WatchRequest: watchRequestSchema,
  QueryReply: queryReplySchema,
  PageMetadata: replyPageSchema,
  Catalogue: catalogueSchema,
  Model: modelSchema,
  Attribute: attributeSchema,
  Reference: referenceSchema,
  SortTerm: sortTermSchema,
  Deprecation: modelSchema.shape.deprecated.def.innerType,
  Problem: problemSchema,
  RequestError: errorSchema,
})) {
  registry.add(schema, { id });
}

/** The contract's schemas by name, with their meanings. */
export function componentSchemas(): Readonly<Record<string, Schema>> {
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    // Records and filters, which the texts describe in full.
    unrepresentable: 'any',
    uri: schemaPath,
    // Generators assume that a member with a default is always there.
    override: ({ jsonSchema }) => delete jsonSchema.default,
  });
  const described = Object.entries(schemas).map(([name, schema]) => [
    name,
    withTexts(name, schema),
  ]);
  return {
    ...Object.fromEntries(described),
    ...filterSchemas(),
    Element: { ...MEANINGS['Element'] },
  };
}

export function schemaRef(name: string): Schema {
  return { $ref: schemaPath(name) };
}

function schemaPath(name: string): string {
  return `#/components/schemas/${name}`;
}

function withTexts(
  name: string,
  { $schema: _dialect, $id: _place, ...schema }: z.core.JSONSchema.BaseSchema,
): Schema {
  const members = Object.entries(schema.properties ?? {}).map(([member, found]) => {
    return [member, { ...(typeof found === 'object' && found), ...MEMBERS[name]?.[member] }];
  });
  return { ...MEANINGS[name], ...schema, properties: Object.fromEntries(members) };
}
