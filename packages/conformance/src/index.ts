export { run } from './program.ts';
export { startConformance } from './conformance.ts';
export type { ConformanceOptions, ConformanceRun } from './conformance.ts';
export type { RuleResult } from './run-rules.ts';
