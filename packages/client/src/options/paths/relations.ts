/**
 * Names the member of a model in which `dq types` notes the relations by which paths lead to one
 * record of another model: the name of that model by the name of the relation, with `null` where
 * the reference itself may be NULL. It is no member of records.
 */
export declare const relations: unique symbol;

/**
 * Names the member of a model in which `dq types` notes by which names filters ask for the records
 * that refer to one: the name of their model by each. It is no member of records.
 */
export declare const inverses: unique symbol;

/** The models to which paths lead from a model, by the names of the relations. */
export type RelationsOf<Entity> = typeof relations extends keyof Entity
  ? NonNullable<Entity[typeof relations]>
  : unknown;

/** The models whose records refer to those of a model, by the names for filters. */
export type InversesOf<Entity> = typeof inverses extends keyof Entity
  ? NonNullable<Entity[typeof inverses]>
  : unknown;

/** The model that a relation or an inverse names; `never` where it is not declared. */
export type TargetOf<Models, Targets, Name> = Name extends keyof Targets
  ? NonNullable<Targets[Name]> & keyof Models & string
  : never;
