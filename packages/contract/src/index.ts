export {
  attributeSchema,
  catalogueSchema,
  modelSchema,
  referenceSchema,
  sortTermSchema,
} from './catalogue.ts';
export type {
  AttributeEntry,
  CatalogueDocument,
  ModelEntry,
  ReferenceEntry,
  SortTerm,
} from './catalogue.ts';
export { exportRequestSchema, readExportRequest } from './export-request.ts';
export type { ExportRequest } from './export-request.ts';
export { EXPORT_TYPES } from './export-types.ts';
export { facetsBody } from './facets-body.ts';
export type { FacetsBody, RequestedFacet, RequestedFacets } from './facets-body.ts';
export { binFacetSchema, facetsReplySchema, valueFacetSchema } from './facets-reply.ts';
export type { BinFacet, FacetsReply, ValueFacet } from './facets-reply.ts';
export {
  FACET_LIMITS,
  facetRequestSchema,
  facetsRequestSchema,
  readFacetsRequest,
} from './facets-request.ts';
export type { FacetRequest, FacetsRequest, FacetsRequestReading } from './facets-request.ts';
export { facetsOf } from './facet-types.ts';
export type { FacetKind } from './facet-types.ts';
export { FILTER_LIMITS, readFilter } from './filter.ts';
export type { Filter, FilterLeaf, FilterReading } from './filter.ts';
export { isOperator, OPERATORS, operatorsOf, SORTABLE_TYPES } from './operators.ts';
export type {
  OperandKind,
  Operator,
  OperatorFacts,
  OperatorOf,
  SortableType,
} from './operators.ts';
export { containingPageSchema } from './page.ts';
export type { ContainingPage, NumberedPage, RecordKey } from './page.ts';
export { API_PATHS, modelPath } from './paths.ts';
export { jsonPointer } from './pointer.ts';
export { errorSchema, problemSchema, PROBLEMS } from './problems.ts';
export type {
  RequestError,
  RequestErrorCode,
  Problem,
  ProblemCode,
  ProblemKind,
} from './problems.ts';
export type { RequestReading } from './read-request.ts';
export { MAX_ATTRIBUTES, MAX_SORT_TERMS, queryRequestSchema, readQueryRequest } from './query.ts';
export type { QueryRequest, QueryRequestReading } from './query.ts';
export type { QueryTotal } from './query-total.ts';
export { queryReplySchema, replyPageSchema } from './reply.ts';
export type { QueryReply, ReplyPage, ResultRecord } from './reply.ts';
export { exportBody, requestBody } from './request-body.ts';
export type {
  ExportBody,
  RequestBody,
  RequestedList,
  RequestedPage,
  RequestedSort,
  RequestedTotal,
} from './request-body.ts';
export { csvWriter, isCsvNull } from './text/csv.ts';
export type { CsvColumn, CsvOptions, CsvWriter } from './text/csv.ts';
export { groupDigits } from './text/group-digits.ts';
export { jsonMemberTexts } from './text/json-members.ts';
export { endOfJsonString } from './text/json-string.ts';
export { INFIX_OPERATORS, printFilter } from './text/print-filter.ts';
export type { TypeOf } from './text/print-filter.ts';
export { WIRE_TYPES } from './wire-types.ts';
export type { WireType, WireTypeFacts } from './wire-types.ts';
