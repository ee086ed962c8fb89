import * as z from 'zod/mini';

/** One term of an order. */
export const sortTermSchema = z.object({
  attribute: z.string(),
  direction: z.enum(['asc', 'desc']),
  nulls: z.enum(['first', 'last']),
});

/**
 * Announces that a model or an attribute will be removed: since when others should be used, when it
 * will be removed, and what to use instead. Dates are RFC 3339 full-dates.
 */
const deprecationSchema = z.object({
  since: z.string(),
  sunset: z.nullable(z.string()),
  note: z.nullable(z.string()),
});

/** One attribute of a model, as the caller may use it. */
export const attributeSchema = z.object({
  name: z.string(),
  /** A name of the table of wire types; a newer server may know more of them. */
  type: z.string(),
  /** The type of an array's items. */
  items: z.optional(z.string()),
  nullable: z.boolean(),
  /** The words among the numbers of a float64, such as `NaN`; absent where none can be stored. */
  special_values: z.optional(z.array(z.string())),
  /**
   * Which values that are not of its type the database may hold; they travel as strings. `numbers`:
   * digits among truth values; `any`: any text. A newer server may know more of them. Absent where
   * there are none, and for types whose values are all strings.
   */
  misfits: z.optional(z.string()),
  description: z.nullable(z.string()),
  /** The filter operators that it takes; empty where it cannot be filtered on. */
  operators: z.array(z.string()),
  /** Whether a request may sort by it. */
  sortable: z.boolean(),
  /**
   * The facets that a request may ask for: `values`, `bins`, and `sum` where its bins have a sum
   * and an average. Absent where the server has no facets.
   */
  facets: z.optional(z.array(z.string())),
  deprecated: z.optional(deprecationSchema),
});

/** That attributes of a model hold the key of a record of another model, or of the same. */
export const referenceSchema = z.object({
  /**
   * The name by which paths lead along it, as in `customer.name`. Absent where none does: more than
   * one reference would have the name, or the key is not proven to be unique.
   */
  name: z.optional(z.string()),
  /** The name by which filters of that model ask for records that refer to theirs, if any. */
  inverse: z.optional(z.string()),
  attributes: z.array(z.string()),
  model: z.string(),
  /** The attributes of that model, in the same order; they name one record of it. */
  key: z.array(z.string()),
});

/** One model of the catalogue. */
export const modelSchema = z.object({
  name: z.string(),
  description: z.nullable(z.string()),
  attributes: z.array(attributeSchema),
  /**
   * The attributes that name one record and break every tie of an order; none unless the
   * caller sees all of them.
   */
  key: z.array(z.string()),
  /**
   * Why `key` is empty, by a word of the table `NO_KEY`, of which a newer server may know more.
   * Absent where there is a key.
   */
  no_key: z.optional(z.string()),
  /**
   * The attribute by which people know a record, as the operator says; absent where nothing is
   * said, or the caller does not see it.
   */
  label: z.optional(z.string()),
  /** The order of a request that asks for none; the key follows it. */
  default_sort: z.array(sortTermSchema),
  /** The largest `page.size` that this model answers. */
  max_page_size: z.int(),
  /**
   * Whether its records are on several servers, or where the database does not promise one state
   * of them: records and total of a reply may be of different states, and the header `Data-State`
   * says `approximate`. Absent where they never are.
   */
  distributed: z.optional(z.literal(true)),
  /**
   * Its foreign keys, as far as the caller sees both ends of them; absent where there is none. The
   * record may still be missing, or hidden from the caller.
   */
  references: z.optional(z.array(referenceSchema)),
  deprecated: z.optional(deprecationSchema),
});

/**
 * What `GET /api/v1/dynamic/models` answers: the models that the caller's token may see, by name.
 */
export const catalogueSchema = z.object({ models: z.array(modelSchema) });

export type SortTerm = z.infer<typeof sortTermSchema>;
export type AttributeEntry = z.infer<typeof attributeSchema>;
export type ReferenceEntry = z.infer<typeof referenceSchema>;
export type ModelEntry = z.infer<typeof modelSchema>;
export type CatalogueDocument = z.infer<typeof catalogueSchema>;
