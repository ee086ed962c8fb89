import * as z from 'zod/mini';

/** One term of an order. */
export const sortTermSchema = z.object({
  attribute: z.string(),
  direction: z.enum(['asc', 'desc']),
  nulls: z.enum(['first', 'last']),
});

/** Since when, until when, and what to use instead. Dates are RFC 3339 full-dates. */
const deprecationSchema = z.object({
  since: z.string(),
  sunset: z.nullable(z.string()),
  note: z.nullable(z.string()),
});

/** One attribute of a model, as the caller may use it. */
export const attributeSchema = z.object({
  name: z.string(),
  /** A wire type; a newer server may have more. */
  type: z.string(),
  /** The type of an array's items, or of a range's bounds. */
  items: z.optional(z.string()),
  nullable: z.boolean(),
  /** Non-numbers of a float64, such as `NaN`; absent where none can be stored. */
  special_values: z.optional(z.array(z.string())),
  /**
   * Values of other types, which travel as strings. `numbers`: digits in a `boolean`; `any`: any
   * text; a newer server may have more. Absent where there are none, and for types that are
   * strings.
   */
  misfits: z.optional(z.string()),
  description: z.nullable(z.string()),
  /** Empty where it cannot be filtered on. */
  operators: z.array(z.string()),
  /** Whether a request may sort by it. */
  sortable: z.boolean(),
  /** `values`, `bins`, and `sum` where bins have one. Absent on servers without facets. */
  facets: z.optional(z.array(z.string())),
  deprecated: z.optional(deprecationSchema),
});

/** Attributes that hold the key of a record of another model, or of the same. */
export const referenceSchema = z.object({
  /** In paths such as `customer.name`. Absent where not unique, or where the key may repeat. */
  name: z.optional(z.string()),
  /** That model's filters ask by it for records that refer to theirs. */
  inverse: z.optional(z.string()),
  attributes: z.array(z.string()),
  model: z.string(),
  /** That model's attributes, in the same order; they name one record. */
  key: z.array(z.string()),
});

/** One model of the catalogue. */
export const modelSchema = z.object({
  name: z.string(),
  description: z.nullable(z.string()),
  attributes: z.array(attributeSchema),
  /** Attributes that name one record and break ties; none unless the caller sees all. */
  key: z.array(z.string()),
  /** Why `key` is empty: a word of `NO_KEY`, or a newer server's. Absent with a key. */
  no_key: z.optional(z.string()),
  /** Names a record for people; absent if not declared or not visible. */
  label: z.optional(z.string()),
  /** For requests without a sort; the key follows it. */
  default_sort: z.array(sortTermSchema),
  /** The largest `page.size` that this model answers. */
  max_page_size: z.int(),
  /**
   * Records and total may be of different states, and `Data-State` says `approximate`: rows are on
   * several servers, or the database promises no single state. Absent otherwise.
   */
  distributed: z.optional(z.literal(true)),
  /** Foreign keys visible at both ends. The record may still be missing or hidden. */
  references: z.optional(z.array(referenceSchema)),
  deprecated: z.optional(deprecationSchema),
});

/** `GET /api/v1/dynamic/models`: the models that the token may see, by name. */
export const catalogueSchema = z.object({
  models: z.array(modelSchema),
  /** The edition of the IANA time zone database, such as `2026c`. Absent on servers without one. */
  time_zones: z.optional(z.string()),
});

export type SortTerm = z.infer<typeof sortTermSchema>;
export type AttributeEntry = z.infer<typeof attributeSchema>;
export type ReferenceEntry = z.infer<typeof referenceSchema>;
export type ModelEntry = z.infer<typeof modelSchema>;
export type CatalogueDocument = z.infer<typeof catalogueSchema>;
