import { claimSettings } from '@proj/fastify/settings';
import * as z from 'zod';

/** One token that the operator handed out. Only its hash is kept. */
export const tokenSettings = z.strictObject({
  name: z.string().regex(/^[\w.-]{1,64}$/, 'expected 1 to 64 letters, digits, - . _'),
  sha256: z
    .string()
    .regex(
      /^[0-9a-f]{64}$/,
      'expected 64 hexadecimal digits, as `dynamic-query token create` prints them',
    ),
  role: z.string().min(1),
  expires: z.iso.date('expected a date such as 2026-12-31').optional(),
  claims: claimSettings.default({}),
});

export type TokenSettings = z.output<typeof tokenSettings>;
