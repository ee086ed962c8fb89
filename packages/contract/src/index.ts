export { attributeSchema, catalogueSchema, modelSchema, sortTermSchema } from './catalogue.ts';
export type { AttributeEntry, CatalogueDocument, ModelEntry, SortTerm } from './catalogue.ts';
export { jsonPointer } from './faults.ts';
export { faultSchema, problemSchema, PROBLEMS } from './problems.ts';
export type { Fault, FaultCode, Problem, ProblemCode, ProblemKind } from './problems.ts';
export { MAX_ATTRIBUTES, queryReplySchema, queryRequestSchema, readQueryRequest } from './query.ts';
export type { Element, QueryReply, QueryRequest, QueryRequestReading } from './query.ts';
export { WIRE_TYPES } from './wire-types.ts';
export type { WireType, WireTypeFacts } from './wire-types.ts';
