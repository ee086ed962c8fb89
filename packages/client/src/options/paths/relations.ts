/** `dq types` notes targets by relation name, with `null` where the reference may be NULL. */
export declare const relations: unique symbol;

/** `dq types` notes the models that refer to this one, by their names in filters. */
export declare const inverses: unique symbol;

/** Target models by relation name. */
export type RelationsOf<Entity> = typeof relations extends keyof Entity
  ? NonNullable<Entity[typeof relations]>
  : unknown;

/** Referring models by their names in filters. */
export type InversesOf<Entity> = typeof inverses extends keyof Entity
  ? NonNullable<Entity[typeof inverses]>
  : unknown;

/** `never` where the target is not declared. */
export type TargetOf<Models, Targets, Name> = Name extends keyof Targets
  ? NonNullable<Targets[Name]> & keyof Models & string
  : never;
