/** A JSON object of unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of a JSON object; none of what is not one. */
export function membersOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The errors that a problem document lists. */
export function errorsOf(problem: unknown): readonly JsonObject[] {
  const { errors } = membersOf(problem);
  return Array.isArray(errors) ? errors.map(membersOf) : [];
}

/** Undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
