export { createHandler } from './handler.ts';
export type { Handler, HandlerOptions } from './handler.ts';
export { dynamicQuery } from './plugin.ts';
export type { DynamicQueryOptions } from './plugin.ts';
export { guardServer } from './server/guard-server.ts';
export type { GuardOptions, ServerGuard } from './server/guard-server.ts';
export type { Caller, DataOptions, QueryReport, RouteName } from './service/data-options.ts';
