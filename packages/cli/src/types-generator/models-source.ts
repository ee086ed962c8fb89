import type { AttributeEntry, ModelEntry } from '@proj/client';

import { type Int64, typeSource } from './type-source.ts';

/** The source of `export interface Models`, for the client's `createClient<Models>()`. */
export function modelsSource(models: readonly ModelEntry[], int64: Int64): string {
  const members = models.map(
    (model) =>
      `${comment(describeModel(model), '  ')}  ${memberName(model.name)}: ` +
      `{\n${attributes(model, int64)}${wireTypes(model)}  };\n`,
  );
  return (
    `// Made by "dq types". Make it anew when the models change.\n\n` +
    `import type { wireTypes } from '@proj/client';\n\n` +
    `export interface Models {\n${members.join('\n')}}\n`
  );
}

function attributes(model: ModelEntry, int64: Int64): string {
  return model.attributes
    .map(
      (entry) =>
        `${comment(describeAttribute(entry), '    ')}    ${memberName(entry.name)}: ` +
        `${typeSource(entry, int64)};\n`,
    )
    .join('');
}

/** Which operators and values a filter takes follows from them. */
function wireTypes(model: ModelEntry): string {
  const members = model.attributes.map(
    ({ name, type }) => `      ${memberName(name)}: ${JSON.stringify(type)};\n`,
  );
  return `    readonly [wireTypes]?: {\n${members.join('')}    };\n`;
}

function describeModel({ description, deprecated }: ModelEntry): string[] {
  return [...lines(description), ...deprecation(deprecated)];
}

function describeAttribute({ description, deprecated }: AttributeEntry): string[] {
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
