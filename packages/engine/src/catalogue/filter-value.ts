/** Checked against its type. Of type `any`, texts follow `'` and blobs in base64 follow `x`. */
export type FilterValue = string | number | bigint | boolean;
