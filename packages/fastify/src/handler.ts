import type { DataOptions } from './service/data-options.ts';
import { openData } from './service/data-service.ts';
import { webHandler } from './web/web-handler.ts';

export type HandlerOptions<Origin = Request> = DataOptions<Origin>;

export interface Handler<Origin = Request> {
  /** @param origin what `principal` gets, such as the request of the framework. @default request */
  (request: Request, origin?: Origin): Promise<Response>;
  /** Ends long replies, and closes the database if the handler opened it. */
  readonly close: () => Promise<void>;
}

/**
 * A handler from `Request` to `Response`, for every framework that has these.
 *
 * @throws {SettingsError} naming each invalid option
 */
export async function createHandler<Origin = Request>(
  options: HandlerOptions<Origin>,
): Promise<Handler<Origin>> {
  const { endReplies, close, ...served } = await openData(options);
  const handle = webHandler(served);
  return Object.assign((request: Request, origin?: Origin) => handle(request, { origin }), {
    close: async () => {
      endReplies();
      await close();
    },
  });
}
