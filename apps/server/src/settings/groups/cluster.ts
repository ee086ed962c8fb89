import { named } from '@proj/fastify/settings';
import * as z from 'zod';

const address = z.string().regex(/^[^\s,/]+:\d{1,5}$/, 'expected an address such as 10.0.0.7:5432');

/** For tables spread over several servers. */
export const clusterSettings = z.strictObject({
  cut: z.enum(['auto', 'validated', 'locked', 'none']).default('auto'),
  addresses: named(address, address).optional(),
});
