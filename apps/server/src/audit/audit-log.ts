import pino from 'pino';
import * as z from 'zod';

/** THE form of an audit line. It holds neither values nor tokens. */
export const auditEntrySchema = z.object({
  time: z.iso.datetime().describe('When the reply was out.'),
  request_id: z.string().describe('As in the reply and in the log.'),
  token: z.string().nullable().describe('The name of the token; null where none was valid.'),
  role: z.string().nullable().describe("Its role; null for the operator's own token."),
  model: z.string().nullable().describe('The model; null where the request named none that the token may see.'),
  attributes: z.array(z.string()).describe('The attributes that were returned.'),
  page: z.number().nullable(),
  size: z.number().nullable(),
  rows: z.int().describe('How many elements were returned.'),
  ms: z.number().describe('How long the request took, in milliseconds.'),
  outcome: z.string().describe('`ok`, the code of the problem, or `cancelled` when the caller left.'),
});

export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** Where audit lines go. */
export interface AuditLog {
  write(entry: Omit<AuditEntry, 'time'>): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/**
 * Writes a JSON line for each entry, to standard output or to a file that grows.
 *
 * @param failed hears of a disk that takes no more; queries go on
 */
export function openAuditLog(to: string, failed: (error: Error) => void): AuditLog {
  const destination = pino.destination({ dest: to === 'stdout' ? 1 : to, mkdir: true, append: true, sync: false });
  destination.on('error', failed);
  return {
    write: (entry) => {
      destination.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
    },
    close: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      destination.once('close', resolve);
      destination.end();
      return promise;
    },
  };
}
