export {
  attributeSchema,
  catalogueSchema,
  modelSchema,
  referenceSchema,
  sortTermSchema,
} from './replies/catalogue.ts';
export type {
  AttributeEntry,
  CatalogueDocument,
  ModelEntry,
  ReferenceEntry,
  SortTerm,
} from './replies/catalogue.ts';
export { groupAttributes, withRelated } from './replies/group-attributes.ts';
export {
  attributeAt,
  inversesOf,
  type LinkedModel,
  noAttributeText,
} from './replies/linked-model.ts';
export { exportRequestSchema, readExportRequest } from './requests/export-request.ts';
export type { ExportRequest } from './requests/export-request.ts';
export { EXPORT_FORMATS, EXPORTS_UNREACHABLE, NO_EXPORTS } from './replies/export-formats.ts';
export type { ExportFormatName, ExportType } from './replies/export-formats.ts';
export { facetsBody } from './requests/facets-body.ts';
export type { FacetsBody, RequestedFacet, RequestedFacets } from './requests/facets-body.ts';
export { binFacetSchema, facetsReplySchema, valueFacetSchema } from './replies/facets-reply.ts';
export type { BinFacet, FacetsReply, ValueFacet } from './replies/facets-reply.ts';
export {
  FACET_LIMITS,
  facetRequestSchema,
  facetsRequestSchema,
  readFacetsRequest,
} from './requests/facets-request.ts';
export type {
  FacetRequest,
  FacetsRequest,
  FacetsRequestReading,
} from './requests/facets-request.ts';
export {
  AGGREGATES,
  type AggregateOp,
  aggregatesOf,
  DATE_UNITS,
  type DateUnit,
  GROUP_LIMITS,
  groupName,
  type GroupRequest,
  isGroupable,
  type RequestedRelated,
  unitsOf,
} from './aggregates.ts';
export { aggregateName, memberNames, nameAggregates } from './aggregate-names.ts';
export {
  type AggregateRequest,
  aggregateRequestSchema,
  groupTermSchema,
} from './requests/groups.ts';
export { type RelatedRequest, relatedRequestSchema } from './requests/related.ts';
export { facetsOf } from './facet-types.ts';
export type { FacetKind, TypeWithFacet } from './facet-types.ts';
export { compileFilter } from './filter-expression/compile.ts';
export { compileRelated } from './filter-expression/compile-related.ts';
export { ExpressionError } from './filter-expression/expression-error.ts';
export { operatorTexts } from './filter-expression/operator-text.ts';
export { FILTER_LIMITS, isFilter, RELATION_LIMITS } from './filter.ts';
export type { AnyRecord, Filter, FilterLeaf, FilterReading, RelatedLeaf } from './filter.ts';
export { readFilter } from './read-filter.ts';
export { NO_KEY, noKeyOf } from './replies/no-key.ts';
export type { NoKey, NoKeyReason } from './replies/no-key.ts';
export { nameText, nameTexts } from './text/name-text.ts';
export { quotedAt } from './text/quoted.ts';
export type { Quoted } from './text/quoted.ts';
export { shellWord } from './text/shell-word.ts';
export { AmbiguousJsonError, readStrictJson } from './text/strict-json.ts';
export { comparedType, isOperator, OPERATORS, operatorsOf, SORTABLE_TYPES } from './operators.ts';
export type {
  OperandKind,
  Operator,
  OperatorFacts,
  OperatorOf,
  SortableType,
} from './operators.ts';
export { containingPageSchema } from './requests/page.ts';
export type { ContainingPage, NumberedPage, RecordKey } from './requests/page.ts';
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
export type { RequestReading } from './requests/read-request.ts';
export {
  MAX_ATTRIBUTES,
  MAX_SORT_TERMS,
  queryRequestSchema,
  readQueryRequest,
} from './requests/query.ts';
export type { QueryRequest, QueryRequestReading } from './requests/query.ts';
export type { QueryTotal } from './requests/query-total.ts';
export { queryReplySchema, replyPageSchema } from './replies/reply.ts';
export type { QueryReply, ReplyPage, ResultRecord } from './replies/reply.ts';
export { exportBody, requestBody, watchBody, wholeNumber } from './requests/request-body.ts';
export type {
  ExportBody,
  RequestBody,
  RequestedGroups,
  RequestedList,
  RequestedPage,
  RequestedSort,
  RequestedTotal,
  WatchBody,
} from './requests/request-body.ts';
export {
  readWatchRequest,
  WATCH_EVERY_MS,
  type WatchRequest,
  watchRequestSchema,
} from './requests/watch-request.ts';
export {
  type ListState,
  listStateSchema,
  WATCH_EVENTS,
  WATCH_TYPE,
} from './replies/watch-event.ts';
export { csvWriter, isCsvNull } from './text/csv.ts';
export type { CsvColumn, CsvOptions, CsvWriter } from './text/csv.ts';
export { groupDigits } from './text/group-digits.ts';
export { jsonMemberTexts, jsonMemberValues, jsonValueText } from './text/json-members.ts';
export { canonicalNumber, filterNumber } from './text/json-number.ts';
export { endOfJsonString } from './text/json-string.ts';
export { INFIX_OPERATORS, printFilter, printName, printRelated } from './text/print-filter.ts';
export type { TypeOf } from './text/print-filter.ts';
export { WIRE_TYPES } from './wire-types.ts';
export type { WireType, WireTypeFacts } from './wire-types.ts';
