export { createHandler, type Handler, type HandlerOptions } from './handler.ts';
export { dynamicQuery, type DynamicQueryOptions } from './plugin.ts';
export { type GuardOptions, guardServer, type ServerGuard } from './server/guard-server.ts';
export type { Caller, DataOptions, QueryReport, RouteName } from './service/data-options.ts';
