import type { AttributeEntry, Catalogue, ModelEntry, ReferenceEntry } from '@proj/client';

/** The source of `export interface Models`, for the client's `createClient<Models>()`. */
export function modelsSource({ models, tag }: Catalogue, int64: Int64): string {
  const members = models.map(
    (model) =>
      `${comment(describe(model), '  ')}  ${memberName(model.name)}: ` +
      `{\n${attributes(model, int64)}${wireTypes(model)}${links(model, models)}  };\n`,
  );
  return (
    `// Made by "${commandOf(int64)}". Make it anew when the models change.\n\n` +
    `import type { ${importedNames(members)} } from '@proj/client';\n\n` +
    (tag === null ? '' : tagSource(tag)) +
    `export interface Models {\n${members.join('\n')}}\n`
  );
}

/** Undefined where the source names no catalogue. */
export function tagOf(source: string): string | undefined {
  return /^export const catalogueTag\s*=\s*["']([\w-]+)["']/m.exec(source)?.[1];
}

export function commandIn(source: string): string {
  return /^\/\/ Made by "(dq types[\w -]*)"/m.exec(source)?.[1] ?? commandOf('string');
}

function commandOf(int64: Int64): string {
  return int64 === 'string' ? 'dq types' : `dq types --int64 ${int64}`;
}

function tagSource(tag: string): string {
  return (
    '/** With it createClient() warns when the models have changed, and `dq types --check` ' +
    'fails. */\n' +
    `export const catalogueTag = ${JSON.stringify(tag)};\n\n`
  );
}

function attributes(model: ModelEntry, int64: Int64): string {
  return model.attributes
    .map(
      (entry) =>
        `${comment(describe(entry), '    ')}    ${memberName(entry.name)}: ` +
        `${typeSource(entry, int64)};\n`,
    )
    .join('');
}

/** They decide which operators and values a filter takes. */
function wireTypes(model: ModelEntry): string {
  const members = model.attributes.map(
    ({ name, type }) => `      ${memberName(name)}: ${JSON.stringify(type)};\n`,
  );
  return `    readonly [wireTypes]?: {\n${members.join('')}    };\n`;
}

/** Targets of paths and conditions on related records. */
function links(model: ModelEntry, models: readonly ModelEntry[]): string {
  const known = new Set(models.map(({ name }) => name));
  const relations = (model.references ?? []).flatMap((reference) =>
    reference.name === undefined || !known.has(reference.model)
      ? []
      : `${memberName(reference.name)}: ${relationSource(reference, model)}`,
  );
  const inverses = models.flatMap(({ name, references = [] }) =>
    references.flatMap((reference) =>
      reference.inverse === undefined || reference.model !== model.name
        ? []
        : `${memberName(reference.inverse)}: ${JSON.stringify(name)}`,
    ),
  );
  return linkMember('relations', relations) + linkMember('inverses', inverses);
}

/** A reference with a nullable attribute may lead nowhere. */
function relationSource(reference: ReferenceEntry, from: ModelEntry): string {
  const nullable = from.attributes.some(
    (one) => one.nullable && reference.attributes.includes(one.name),
  );
  return JSON.stringify(reference.model) + (nullable ? ' | null' : '');
}

function linkMember(name: LinkName, members: readonly string[]): string {
  if (members.length === 0) return '';
  const body = members.map((member) => `      ${member};\n`);
  return `    readonly [${name}]?: {\n${body.join('')}    };\n`;
}

type LinkName = 'relations' | 'inverses';

/** A compiler may refuse unused imports. */
function importedNames(members: readonly string[]): string {
  const isUsed = (name: string): boolean =>
    members.some((member) => member.includes(`\n    readonly [${name}]?: {\n`));
  return ['inverses', 'relations', 'wireTypes']
    .filter((name) => name === 'wireTypes' || isUsed(name))
    .join(', ');
}

function describe({
  description,
  deprecated,
}: Pick<ModelEntry, 'description' | 'deprecated'>): string[] {
  return [...lines(description), ...deprecation(deprecated)];
}

function deprecation(deprecated: ModelEntry['deprecated']): string[] {
  return deprecated ? lines(`@deprecated since ${deprecated.since}. ${deprecated.note ?? ''}`) : [];
}

function lines(text: string | null): string[] {
  return (text ?? '').trim() === '' ? [] : (text ?? '').trim().split(/\r\n|[\n\r\u2028\u2029]/);
}

/** A description must not end the comment around it. */
function comment(texts: readonly string[], indent: string): string {
  const safe = texts.map((text) => text.replaceAll('*/', '*\\/').trimEnd());
  if (safe.length === 0) return '';
  if (safe.length === 1) return `${indent}/** ${safe.join()} */\n`;
  const body = safe.map((text) => `${indent} * ${text}`.trimEnd());
  return `${indent}/**\n${body.join('\n')}\n${indent} */\n`;
}

function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** As in the client's option of this name. */
export type Int64 = 'string' | 'bigint';

function typeSource(attribute: AttributeEntry, int64: Int64): string {
  const { type, items, nullable, special_values: special = [], misfits } = attribute;
  const scalar = type === 'array' ? arraySource(items, int64) : scalarSource(type, int64);
  const words = type === 'float64' ? special.map((word) => JSON.stringify(word)) : [];
  const value = [scalar, ...(misfits === undefined ? words : [misfitSource(misfits)])].join(' | ');
  return nullable && value !== 'unknown' ? `${value} | null` : value;
}

function misfitSource(misfits: string): string {
  return misfits === 'numbers' ? '`${number}`' : 'string';
}

/** The catalogue does not say whether an array holds NULL, nor how many dimensions it has. */
function arraySource(items: string | undefined, int64: Int64): string {
  const item = items === undefined ? 'unknown' : itemSource(items, int64);
  return item === 'unknown' ? 'unknown[]' : `(${item} | null)[]`;
}

/** Nor whether floats of an array are all numbers. */
function itemSource(type: string, int64: Int64): string {
  const item = scalarSource(type, int64);
  return type === 'float64' ? `${item} | "NaN" | "Infinity" | "-Infinity"` : item;
}

const STRINGS = new Set([
  'text',
  'uuid',
  'enum',
  'decimal',
  'date',
  'time',
  'timestamp',
  'timestamp_tz',
  'interval',
  'inet',
  'range',
  'bytes',
  'other',
]);

function scalarSource(type: string, int64: Int64): string {
  if (STRINGS.has(type)) return 'string';
  if (type === 'int64') return int64;
  if (type === 'int32' || type === 'float64') return 'number';
  if (type === 'any') return 'number | string | { number: string } | { bytes: string }';
  // `json`, and types of a newer service.
  return type === 'boolean' ? 'boolean' : 'unknown';
}
