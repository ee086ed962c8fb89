/**
 * A value of a filter, checked against the attribute's type. Of type `any` a string is a text that
 * follows `'`, or a blob in base64 that follows `x`.
 */
export type FilterValue = string | number | bigint | boolean;
