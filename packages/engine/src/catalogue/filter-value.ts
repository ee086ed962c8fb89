/** A value of a filter, checked against the attribute's type. */
export type FilterValue = string | number | bigint | boolean;
