import * as z from 'zod/mini';

/** One kind of problem: what it means for the caller, and what to do. */
export interface ProblemKind {
  readonly status: number;
  /** Stays the same for every occurrence (RFC 9457 §3.1.3). */
  readonly title: string;
  /** When it occurs. */
  readonly meaning: string;
  /** What the caller does about it. */
  readonly remedy: string;
}

/**
 * THE table of problem codes: none changes its meaning or is reused. Types and docs come from here.
 */
export const PROBLEMS = {
  malformed_json: {
    status: 400,
    title: 'The body is not a JSON text',
    meaning:
      'The body is empty, is cut short, breaks the grammar of RFC 8259, ' +
      'or holds a number that cannot be read without rounding a fraction away.',
    remedy: 'Send one JSON object in UTF-8, made by a JSON library.',
  },
  duplicate_key: {
    status: 400,
    title: 'An object names a member twice',
    meaning:
      'Parsers disagree on which of two members with one name counts (RFC 8259 §4), ' +
      'so neither is used.',
    remedy: 'Name every member once.',
  },
  invalid_encoding: {
    status: 400,
    title: 'The body is not UTF-8',
    meaning: 'The bytes are not valid UTF-8 (RFC 8259 §8.1).',
    remedy: 'Encode the body in UTF-8.',
  },
  too_deep: {
    status: 400,
    title: 'The body is nested too deeply',
    meaning: 'Arrays and objects are nested deeper than any valid request needs.',
    remedy: 'Send a flatter body.',
  },
  invalid_request: {
    status: 400,
    title: 'The request has errors of several kinds',
    meaning:
      '`errors` lists every error with its place in the body and its code. ' +
      'If all errors share a code, the problem has that code instead.',
    remedy: 'Correct what `errors` points to.',
  },
  invalid_type: {
    status: 400,
    title: 'A member has the wrong JSON type',
    meaning:
      'A member does not have the JSON type of the contract, ' +
      'for example a page number in quotes or with a fraction.',
    remedy: 'Send the type that the detail names.',
  },
  missing_member: {
    status: 400,
    title: 'A required member is missing',
    meaning:
      '`query_model` and, of a query, `query_attributes`, `page`, `page.page` and `page.size` ' +
      'are required; `page.containing` may take the place of `page.page`, with every attribute ' +
      'of the key. Of a request for facets, `query_facets` and the `attribute` of each are.',
    remedy: 'Send the member that the pointer names.',
  },
  unknown_member: {
    status: 400,
    title: 'A member is not part of the request',
    meaning: 'Unknown members are refused, so that a misspelled one is not silently ignored.',
    remedy: 'Remove the member or correct its name.',
  },
  out_of_range: {
    status: 400,
    title: 'A number is out of range',
    meaning:
      '`page.page` and `page.size` are whole numbers from 1 to 2^53 − 1, ' +
      '`values` and `bins` of a facet from 1 to 1,000, ' +
      'and `watch_every_ms` from 100 to 3,600,000.',
    remedy: 'Send a number in the range that the detail names.',
  },
  size_too_large: {
    status: 400,
    title: 'The page size is above the maximum',
    meaning:
      'Each model has a maximum page size. ' +
      'A larger size is refused rather than silently reduced.',
    remedy: 'Ask for smaller pages. The detail says how many records a page may have.',
  },
  reply_too_large: {
    status: 400,
    title: 'The page would be too large',
    meaning:
      'The records of the page, or the values of the facets, take more bytes than one reply may. ' +
      '`maximum` is the limit in bytes; nothing is cut off.',
    remedy: 'Ask for a smaller page, for fewer attributes, or for fewer values.',
  },
  invalid_text: {
    status: 400,
    title: 'A string is not valid text',
    meaning: 'A string holds a lone surrogate or a NUL, which a database would change or refuse.',
    remedy: 'Send well-formed Unicode without U+0000.',
  },
  no_attributes: {
    status: 400,
    title: 'No attribute is requested',
    meaning: '`query_attributes` is empty.',
    remedy: 'Name at least one attribute of the model.',
  },
  too_many_attributes: {
    status: 400,
    title: 'Too many attributes are requested',
    meaning: '`query_attributes` names more attributes than one request may.',
    remedy: 'Name fewer attributes. The detail says how many there may be.',
  },
  duplicate_attribute: {
    status: 400,
    title: 'An attribute is named twice',
    meaning:
      'A record has each attribute once, and an order names each once. ' +
      'A name of `query_related` is that of no attribute of the model.',
    remedy: 'Name every attribute once.',
  },
  invalid_filter: {
    status: 400,
    title: 'A filter is not well-formed',
    meaning: 'A node of `query_filter` is neither a comparison nor a group of at least one filter.',
    remedy:
      'Send `{"attribute", "op", "value"}`, or `and`, `or` with a list of filters, ' +
      'or `not` with one.',
  },
  filter_too_large: {
    status: 400,
    title: 'The filter is too large',
    meaning:
      'The filter is nested too deeply, has too many comparisons or lists too many values; ' +
      '`maximum` is the limit that was passed.',
    remedy: 'Send a smaller filter, or several requests.',
  },
  unknown_operator: {
    status: 400,
    title: 'No such operator',
    meaning: '`op` names no filter operator.',
    remedy: 'Choose one of the operators that the catalogue gives for the attribute.',
  },
  operator_not_applicable: {
    status: 400,
    title: 'The attribute does not take this operator',
    meaning: 'Which operators an attribute takes follows from its type.',
    remedy: 'Choose one of the operators that the catalogue gives for the attribute.',
  },
  unknown_time_zone: {
    status: 400,
    title: 'No such time zone',
    meaning: '`time_zone` names no zone of the IANA time zone database.',
    remedy: 'Send a name such as `Europe/Paris`; an offset is no zone.',
  },
  time_zone_not_applicable: {
    status: 400,
    title: 'The attribute has no time zone',
    meaning: 'A time zone applies to instants, which are of the type `timestamp_tz`, alone.',
    remedy: 'Leave `time_zone` out.',
  },
  invalid_value: {
    status: 400,
    title: 'A value does not fit',
    meaning:
      "A filter value is not of the attribute's type, " +
      'or a member with few possible values has another.',
    remedy:
      'Send a value of the kind that the detail names. ' +
      'Decimals, dates, times and whole numbers above 2^53 − 1 are written as strings.',
  },
  too_many_sort_terms: {
    status: 400,
    title: 'Too many attributes to sort by',
    meaning: '`query_sort` names more attributes than one request may sort by.',
    remedy: 'Sort by fewer attributes. The detail says how many there may be.',
  },
  too_many_relations: {
    status: 400,
    title: 'Too many paths along relations',
    meaning:
      'The request looks along more different paths of relations, or `query_related` names more ' +
      'counts and aggregates, than one request may.',
    remedy: 'Name attributes of fewer relations. The detail says how many there may be.',
  },
  not_sortable: {
    status: 400,
    title: 'The attribute cannot be sorted by',
    meaning: 'Values of this type have no order that every database agrees on.',
    remedy: 'Sort by an attribute that the catalogue calls sortable.',
  },
  invalid_query_total: {
    status: 400,
    title: 'The total cannot be requested this way',
    meaning:
      '`query_total` is none of `"exact"`, `"none"` and `{"up_to": …}`, or its number is not a ' +
      'whole number from 1 to the limit that `maximum` names. ' +
      'With `page.containing` it is not `"none"`, as finding the page takes a count.',
    remedy: 'Send one of them, or leave the member out for the exact total.',
  },
  invalid_export_csv: {
    status: 400,
    title: 'CSV cannot be written this way',
    meaning:
      '`export_csv` is sent where no CSV is asked for, or its text for NULL holds a comma, ' +
      'a quote or a line break.',
    remedy: 'Ask for CSV by `Accept: text/csv`, and choose another text for NULL.',
  },
  no_visible_key: {
    status: 400,
    title: 'Records of the model cannot be named',
    meaning:
      'The token does not see every part of the key of the model, ' +
      'or a part is shown by two attributes, is a date that SQLite may store in several forms, ' +
      'or is of a type that takes no `eq`.',
    remedy:
      'Ask for the page by its number: `page.page` in place of `page.containing`. ' +
      'An operator can let the role see the whole key, or declare another one.',
  },
  record_not_in_list: {
    status: 400,
    title: 'The record is not in the list',
    meaning:
      'No record with this key is in the list that the filter leaves, as the token sees it. ' +
      'The reply is the same whether or not such a record exists outside of it.',
    remedy: 'Check the key in `page.containing`, or ask with another filter.',
  },
  invalid_related: {
    status: 400,
    title: 'Related records cannot be counted this way',
    meaning:
      'A member of `query_related` has no attribute where its `op` needs one, or a name that is ' +
      'none.',
    remedy: 'Correct what the detail names.',
  },
  invalid_groups: {
    status: 400,
    title: 'The list cannot be grouped this way',
    meaning:
      '`query_groups` is empty, an aggregate has no attribute where it needs one or a name that ' +
      'is none, `query_aggregates` or `query_group_filter` is sent without `query_groups`, or a ' +
      'page of groups is asked for by a record.',
    remedy: 'Correct what the detail names.',
  },
  too_many_groups: {
    status: 400,
    title: 'Too many group attributes, or too many aggregates',
    meaning: '`query_groups` or `query_aggregates` names more than one request may.',
    remedy: 'Name fewer. The detail says how many there may be.',
  },
  not_groupable: {
    status: 400,
    title: 'The attribute cannot be grouped or aggregated this way',
    meaning:
      'Values of `json`, `bytes` and `other` are not compared, only dates are cut to a part of ' +
      'time, only numbers are added, and only values with an order have a first and a last one.',
    remedy: 'Choose what the detail says that the attribute takes.',
  },
  no_facets: {
    status: 400,
    title: 'No facet is requested',
    meaning: '`query_facets` is empty.',
    remedy: 'Name at least one facet.',
  },
  too_many_facets: {
    status: 400,
    title: 'Too many facets are requested',
    meaning:
      '`query_facets` names more facets than one request may, or their bins and filters have ' +
      'more values than one statement of the database takes.',
    remedy: 'Name fewer facets (the detail says how many there may be), or send several requests.',
  },
  invalid_facet: {
    status: 400,
    title: 'A facet is not well-formed',
    meaning:
      'A facet asks for both values and bins, for neither, or for an order of bins, ' +
      'which have their own.',
    remedy: 'Send `{"attribute", "values"}`, with or without `sort`, or `{"attribute", "bins"}`.',
  },
  not_facetable: {
    status: 400,
    title: 'The attribute has no such facet',
    meaning:
      'Which facets an attribute has follows from its type: values of `json`, `bytes` and ' +
      '`other` are not counted, and only numbers, dates and times are divided into bins.',
    remedy: 'Choose a facet that the catalogue gives for the attribute.',
  },
  unknown_model: {
    status: 400,
    title: 'No such model',
    meaning: 'No model of this name is visible to the token.',
    remedy: 'Choose a name from GET /api/v1/dynamic/models.',
  },
  unknown_attribute: {
    status: 400,
    title: 'No such attribute',
    meaning: 'The model has no attribute of this name that is visible to the token.',
    remedy: 'Choose names from GET /api/v1/dynamic/models/{name}.',
  },
  invalid_position: {
    status: 400,
    title: 'The position is not one of the database',
    meaning:
      'The header `Data-At-Least` does not hold a position in the log of the database: ' +
      'the `Data-Position` of a reply, or a log sequence number of PostgreSQL, ' +
      'or a list of global transaction ids of MariaDB.',
    remedy: 'Send the `Data-Position` of a reply as it was, or leave the header out.',
  },
  bad_request: {
    status: 400,
    title: 'The HTTP request is malformed',
    meaning: 'The request breaks HTTP: a bad request line, header, chunk or content length.',
    remedy: 'Send the request with an HTTP library.',
  },
  unauthenticated: {
    status: 401,
    title: 'No valid token',
    meaning: 'The token is missing, malformed, unknown, expired or revoked.',
    remedy: 'Send `Authorization: Bearer <token>` with a token that the operator gave you.',
  },
  forbidden: {
    status: 403,
    title: 'The token may not use this endpoint',
    meaning: 'The token is valid, and its role does not reach this endpoint at all.',
    remedy: 'Ask the operator for a role that does.',
  },
  origin_refused: {
    status: 403,
    title: 'The host or origin is not allowed',
    meaning:
      'A request to `/mcp` names a `Host` that is neither a loopback address nor that of ' +
      '`public_url`, or comes from a page (`Origin`) that is neither of that host nor one of ' +
      '`cors_origins`.',
    remedy: 'Use the URL that the operator gave you; an operator sets `public_url`.',
  },
  sign_in_refused: {
    status: 403,
    title: 'The link does not sign in',
    meaning:
      'The link that the service printed at its start was used before, is older than ten ' +
      'minutes, is of an earlier start, or was opened on another machine.',
    remedy: 'Paste the temporary token printed beside the link, or restart the service.',
  },
  claim_missing: {
    status: 403,
    title: 'The token lacks a claim',
    meaning:
      'The database identifies callers by claims of the token. The token lacks one of them, ' +
      'or has one that the database cannot hold. The detail names it.',
    remedy: 'Ask for a token with that claim.',
  },
  session_refused: {
    status: 403,
    title: 'The database refuses to read as the caller',
    meaning:
      'The service may not read as the role of the caller, the role lacks a right, or a policy ' +
      'reads a setting that the service does not set.',
    remedy: 'Tell the operator. The log says which.',
  },
  policy_failed: {
    status: 403,
    title: 'A policy failed for the caller',
    meaning:
      'A policy of the database raised an error, or could not read a setting made of the ' +
      'token, so it could not decide which records the caller sees.',
    remedy: 'Ask for a token with claims that the policy can read, or tell the operator.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'No resource has this path; most often the base URL is wrong.',
    remedy: 'Check the base URL and the path.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not take this method',
    meaning: 'The `Allow` header lists the methods that it takes.',
    remedy: 'Use one of them.',
  },
  not_acceptable: {
    status: 406,
    title: 'The reply cannot be made in an accepted media type',
    meaning: 'The `Accept` header rules out what this path can answer with.',
    remedy: 'Accept the media type that the detail names, or leave `Accept` out.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    meaning: 'The headers or the body were not complete in time.',
    remedy: 'Send the request again.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    meaning: 'The body is longer than the server reads.',
    remedy: 'Send a shorter body.',
  },
  uri_too_long: {
    status: 414,
    title: 'The path is too long',
    meaning: 'A part of the path is longer than any name.',
    remedy: 'Check the path.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is not application/json',
    meaning:
      'The endpoint reads `Content-Type: application/json`, in UTF-8 and without a content coding.',
    remedy: 'Send that content type.',
  },
  data_error: {
    status: 422,
    title: 'The data of the model raises an error',
    meaning:
      'An expression of the model fails on its own data, such as a division by zero in a view; ' +
      'a value has no place in the column of a Parquet file; or a filter has a character that ' +
      "the database can't store, with an encoding of several bytes such as EUC_JP.",
    remedy: 'Filter out the records that raise the error, or tell the operator the `request_id`.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning: 'A limit of the token or the address is used up.',
    remedy: 'Wait as long as `Retry-After` says.',
  },
  quota_exceeded: {
    status: 429,
    title: 'The quota of rows is used up',
    meaning: 'The token has read as many rows as it may read in a day.',
    remedy: 'Wait as long as `Retry-After` says, or ask the operator for a larger quota.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    meaning: 'The header section is longer than the server reads.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal: {
    status: 500,
    title: 'An error of the service',
    meaning: 'Something unforeseen went wrong. It was logged under the `request_id`.',
    remedy: 'Tell the operator the `request_id`.',
  },
  not_implemented: {
    status: 501,
    title: 'This part of HTTP is not supported',
    meaning:
      'The request uses a transfer coding other than `chunked`, or asks for a tunnel by CONNECT.',
    remedy: 'Send the body as it is, with its length or in chunks.',
  },
  database_unavailable: {
    status: 503,
    title: 'The database cannot be reached',
    meaning: 'The database refused or lost the connection, or is starting.',
    remedy: 'Try again after `Retry-After`. The query only reads, so repeating it is safe.',
  },
  model_unavailable: {
    status: 503,
    title: 'The model is unavailable',
    meaning:
      'The table or view behind the model, or a column of it, is missing or may not be read.',
    remedy: 'Try again after `Retry-After`. The model answers as soon as its table is back.',
  },
  model_unreadable: {
    status: 503,
    title: 'The model cannot be read',
    meaning:
      'The view behind the model cannot be read in a read-only transaction, ' +
      'or its definition fails.',
    remedy: 'Tell the operator the `request_id`: the definition of the view has to change.',
  },
  auth_unavailable: {
    status: 503,
    title: 'Tokens cannot be checked',
    meaning:
      'The keys of the token issuer cannot be fetched, ' +
      'so the service cannot tell whether the token is valid.',
    remedy: 'Try again after `Retry-After`.',
  },
  no_common_state: {
    status: 503,
    title: 'No common state',
    meaning:
      'The records are on several servers, and others write so often that no state common to ' +
      'all of them was found within the time of the query.',
    remedy: 'Try again after `Retry-After`.',
  },
  overloaded: {
    status: 503,
    title: 'The service is busy',
    meaning:
      'Too many queries wait, or too many replies wait to be read, ' +
      'or queries cannot be recorded in the audit.',
    remedy: 'Try again after `Retry-After`.',
  },
  shutting_down: {
    status: 503,
    title: 'The service is stopping',
    meaning: 'This process no longer takes queries.',
    remedy: 'Try again after `Retry-After`; another process will answer.',
  },
  query_timeout: {
    status: 504,
    title: 'The query took too long',
    meaning:
      'The query passed its time limit, or a limit of the database such as that of temporary ' +
      'files, and was stopped. ' +
      'If counting a long list is what takes long, `query_total` leaves it out.',
    remedy:
      'Ask for less: fewer records, a page nearer to the beginning, ' +
      'or no total by `"query_total": "none"`. ' +
      'Or ask the operator for an index or a longer limit.',
  },
  http_version_too_old: {
    status: 505,
    title: 'The version of HTTP is too old for this path',
    meaning: 'Exports need HTTP/1.1 or later: in HTTP/1.0 a reply that was cut short looks whole.',
    remedy:
      'Use a client, or have a proxy in between use, HTTP/1.1 (nginx: `proxy_http_version 1.1`).',
  },
} as const satisfies Record<string, ProblemKind>;

/** A code of {@link PROBLEMS}. */
export type ProblemCode = keyof typeof PROBLEMS;

/** The codes of `errors[].code`: request errors with a place in the body. */
export type RequestErrorCode =
  | 'invalid_type'
  | 'missing_member'
  | 'unknown_member'
  | 'out_of_range'
  | 'size_too_large'
  | 'reply_too_large'
  | 'invalid_text'
  | 'no_attributes'
  | 'too_many_attributes'
  | 'duplicate_attribute'
  | 'invalid_filter'
  | 'filter_too_large'
  | 'unknown_operator'
  | 'operator_not_applicable'
  | 'unknown_time_zone'
  | 'time_zone_not_applicable'
  | 'invalid_value'
  | 'too_many_sort_terms'
  | 'too_many_relations'
  | 'not_sortable'
  | 'invalid_query_total'
  | 'invalid_export_csv'
  | 'no_visible_key'
  | 'record_not_in_list'
  | 'invalid_related'
  | 'invalid_groups'
  | 'too_many_groups'
  | 'not_groupable'
  | 'no_facets'
  | 'too_many_facets'
  | 'invalid_facet'
  | 'not_facetable'
  | 'unknown_model'
  | 'unknown_attribute';

/** One error of the request. */
export const errorSchema = z.object({
  /** A place in the body (RFC 6901); the empty string is the whole body. */
  pointer: z.string(),
  code: z.string(),
  /** A sentence for people; not API. */
  detail: z.string(),
  /** The limit that was passed, if one was. */
  maximum: z.optional(z.number()),
  /** A visible name close to the unknown one. */
  did_you_mean: z.optional(z.string()),
});

/** A problem document (RFC 9457). */
export const problemSchema = z.object({
  /** `/problems/<code>`, relative to the server or after its public URL: a page on the code. */
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  /** A {@link ProblemCode}, or a newer server's. */
  code: z.string(),
  request_id: z.string(),
  errors: z.optional(z.array(errorSchema)),
});

export interface RequestError extends z.infer<typeof errorSchema> {
  readonly code: RequestErrorCode;
}
export type Problem = z.infer<typeof problemSchema>;
