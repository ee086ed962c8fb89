import type { JsonSchema } from '@proj/fastify/settings';
import * as z from 'zod';

import { settingsSchema } from './schema.ts';

/** Without what each setting means, which `settings.schema.json` adds. */
export function settingsJsonSchema(): JsonSchema {
  const schema: JsonSchema = z.toJSONSchema(settingsSchema, { io: 'input' });
  // The environment may give what the file leaves out.
  delete schema.required;
  return schema;
}
