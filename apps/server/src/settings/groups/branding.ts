import * as z from 'zod';

/** Name and look of the explorer. */
export const brandingSettings = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .optional()
    .describe('The name at the top of the explorer and in its title; `Dynamic Query` by default.'),
  logo: z
    .string()
    .min(1)
    .optional()
    .describe('Path of a picture, SVG or PNG of at most 64 KiB, that is beside the name.'),
  colour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'expected a colour such as #0a7d4f')
    .optional()
    .describe(
      'The colour of links and buttons, such as `#0a7d4f`. It is made lighter or darker ' +
        'where texts could not be read otherwise.',
    ),
});

export type Branding = z.infer<typeof brandingSettings>;
