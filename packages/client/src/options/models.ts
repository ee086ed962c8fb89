/**
 * Models that are not declared: any name, any attribute, values of
 * unknown type.
 */
export type AnyModels = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The names of the models. */
export type ModelName<Models> = keyof Models & string;

/** The names of one model's attributes. */
export type AttributeName<Models, Model extends ModelName<Models>> = keyof Models[Model] & string;

/** One record: the requested attributes with their types. */
export type RecordOf<
  Attributes extends readonly string[],
  Entity = Readonly<Record<string, unknown>>,
> = Readonly<Pick<Entity, Attributes[number] & keyof Entity>>;
