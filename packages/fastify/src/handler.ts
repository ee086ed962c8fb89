import type { DataOptions } from './service/data-options.ts';
import { openData } from './service/data-service.ts';
import { webHandler } from './web/web-handler.ts';

/** What a handler is made of. */
export interface HandlerOptions extends DataOptions<Request> {
  /** What comes before all paths, such as `/data`. @default '' */
  readonly prefix?: string;
}

/** Answers requests of the web. */
export interface Handler {
  (request: Request): Promise<Response>;
  /** Ends what lasts, and closes the database where the handler has opened it. */
  readonly close: () => Promise<void>;
}

/**
 * A handler from `Request` to `Response`, for every framework that has these.
 *
 * @throws {SettingsError} naming each option that does not fit
 */
export async function createHandler(options: HandlerOptions): Promise<Handler> {
  const prefix = (options.prefix ?? '').replace(/\/+$/, '');
  const { routes, pipeline, endReplies, close } = await openData(options, prefix);
  const handle = webHandler({ routes, pipeline, prefix });
  return Object.assign((request: Request) => handle(request), {
    close: async () => {
      endReplies();
      await close();
    },
  });
}
