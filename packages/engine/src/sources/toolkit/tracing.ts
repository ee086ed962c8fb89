export {
  ENGINE_CHANNELS,
  followsStatements,
  publishStatement,
  traceStatement,
  traceSync,
} from '../../tracing.ts';
export type { DatabaseAddress, StatementFacts, TracedStatement } from '../../tracing.ts';
