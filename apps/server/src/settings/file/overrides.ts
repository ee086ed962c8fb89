import { isRecord } from '@proj/fastify/settings';

import { SETTING_SOURCES, type SettingSource } from './sources.ts';
import type { Variables } from './variables.ts';

/** Origins of settings besides the defaults. */
export interface SettingsInput {
  /** Flags by name, without the dashes. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @returns the origin of each override by its key: `--port`, `DYNAMIC_QUERY_PORT` */
export function applyOverrides(
  values: Record<string, unknown>,
  flags: SettingsInput['flags'],
  variables: Variables,
): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const source of SETTING_SOURCES) {
    const flag = source.flag === undefined ? undefined : flags[source.flag];
    const text = flag ?? variables(source.env);
    if (text === undefined) continue;
    assign(values, source.path, valueOf(text, source.kind));
    places.set(source.path.join('.'), flag === undefined ? source.env : `--${source.flag}`);
  }
  return places;
}

/** An empty variable is how shells and compose files say "not set". */
export function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** A text of the wrong kind stays one, for the schema to refuse. */
export function valueOf(text: string, kind: SettingSource['kind']): unknown {
  if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (kind === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if (kind === 'list') return text.split(',').map((item) => item.trim());
  return text;
}

function assign(values: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) {
    values[key] = value;
    return;
  }
  // A group that is only switched on gets its members from here.
  const group = values[key] === true ? {} : (values[key] ?? {});
  // Anything but a mapping stays, for the schema to refuse.
  if (!isRecord(group)) return;
  values[key] = group;
  assign(group, rest, value);
}
