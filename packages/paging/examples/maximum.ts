import { pageRequestSchema } from '@proj/paging/schema';
import * as z from 'zod';

export const querySchema = z.object({
  page: pageRequestSchema.check(
    z.refine(({ size }) => size <= 1000, { path: ['size'], message: 'at most 1000' }),
  ),
});
