import { settingsJsonSchema } from '../settings/json-schema.ts';
import { SETTING_SOURCES } from '../settings/file/sources.ts';

/** For `--help`: the equivalent variable, and the description in the table of settings. */
export function flagDescriptions(): ReadonlyMap<string, string> {
  const schema = settingsJsonSchema();
  return new Map(
    SETTING_SOURCES.flatMap(({ flag, env, path }) =>
      flag === undefined ? [] : [[`--${flag}`, `[${env}] ${descriptionOf(schema, path)}`] as const],
    ),
  );
}

type JsonSchema = ReturnType<typeof settingsJsonSchema>;

function descriptionOf(schema: JsonSchema, path: readonly string[]): string {
  const setting = path.reduce<JsonSchema | boolean | undefined>(
    (outer, key) => (typeof outer === 'object' ? outer.properties?.[key] : undefined),
    schema,
  );
  return (typeof setting === 'object' && setting.description) || '';
}
