import * as z from 'zod';

/** Name and look of the explorer. */
export const brandingSettings = z.strictObject({
  name: z.string().trim().min(1).max(60).optional(),
  logo: z.string().min(1).optional(),
  colour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'expected a colour such as #0a7d4f')
    .optional(),
});

export type Branding = z.infer<typeof brandingSettings>;
