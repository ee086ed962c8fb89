import * as z from 'zod';

/** One token that the operator handed out. Only its hash is kept. */
export const tokenSettings = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'expected 1 to 64 letters, digits, - . _')
    .describe('Who it was handed to; logs and limits use it.'),
  sha256: z
    .string()
    .regex(
      /^[0-9a-f]{64}$/,
      'expected 64 hexadecimal digits, as `dynamic-query token create` prints them',
    )
    .describe('The SHA-256 of the token.'),
  role: z.string().min(1).describe('What it may see.'),
  expires: z.iso.date().optional().describe('The first day on which it is no longer valid (UTC).'),
  claims: z
    .record(z.string(), z.json())
    .default({})
    .describe('The values of `$claims` in the row filters of its role.'),
});

export type TokenSettings = z.output<typeof tokenSettings>;
