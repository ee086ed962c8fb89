/**
 * Models that are not declared: any name, any attribute, values of
 * unknown type.
 */
export type AnyModels = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The names of the models. */
export type ModelName<Models> = keyof Models & string;

/** The names of one model's attributes. */
export type AttributeName<
  Models,
  Model extends ModelName<Models> = ModelName<Models>,
> = keyof Models[Model] & string;

/** One record: the requested attributes, or all that there are, with their types. */
export type RecordOf<
  Models,
  Model extends ModelName<Models> = ModelName<Models>,
  Attribute extends AttributeName<Models, Model> = AttributeName<Models, Model>,
> = Readonly<Pick<Models[Model], Attribute>>;
