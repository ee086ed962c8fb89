import { nameText } from '@proj/contract';
import { SettingsError } from '@proj/engine';
import * as z from 'zod';

import { settingIssues, settingMessage } from './setting-message.ts';

export const aFunction = z.custom((value) => typeof value === 'function', 'expected a function');

/** @throws {SettingsError} naming each mistake by its place */
export function checkedOptions<Kind extends z.ZodType>(
  schema: Kind,
  options: unknown,
): z.output<Kind> {
  const reading = schema.safeParse(options);
  if (reading.success) return reading.data;
  const forms = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const lines = settingIssues(reading.error).map((issue) => {
    const isInFile = ['models', 'roles'].includes(String(issue.path[0]));
    const list = isInFile ? undefined : 'The README of @proj/fastify';
    const place = issue.path.map(String).map(nameText).join('.');
    return `${place}: ${settingMessage(issue, forms, list)}`;
  });
  throw new SettingsError(lines.join('\n'));
}
