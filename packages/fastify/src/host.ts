// For hosts that serve the endpoints in ways of their own, such as the service.
export {
  type Answer,
  type Ask,
  type Principal,
  principalOf,
  type QueryFacts,
  requestId,
} from './endpoint/ask.ts';
export { Attached, onReplyEnd } from './endpoint/attached.ts';
export type { Bounds } from './routes/route-parts.ts';
export { JSON_TYPE } from './endpoint/content-type.ts';
export { tagged } from './endpoint/entity-tag.ts';
export { Pipeline } from './endpoint/pipeline.ts';
export { notAllowed, nothingHere, Places, type Route, type Station } from './endpoint/route.ts';
export { problemAnswer } from './endpoint/problem-answer.ts';
export { HttpProblem, problemOf } from './endpoint/problems.ts';
export { readJsonBytes } from './endpoint/json-bytes.ts';
export { askOf, type FastifyAsk, rawBody, send, serve } from './fastify/fastify-ask.ts';
export { AccessChecks } from './reply/lasting-access.ts';
export { OpenWatches } from './reply/watch-reply.ts';
export { RunningExports } from './reply/export-reply.ts';
export { Tally } from './reply/tally.ts';
export { escapeHtml, NOTHING_MORE, PROGRAM_PAGE_HEADERS } from './pages/page.ts';
export { filesIn, PageFiles, type ProgramFiles, withMeta } from './pages/page-files.ts';
export { webHandler } from './web/web-handler.ts';
export { dataRoutes } from './routes/data-routes.ts';
export { type ExplorerFacts, explorerRoutes } from './routes/explorer.ts';
export { openApiRoutes } from './routes/openapi.ts';
