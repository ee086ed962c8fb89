export { run } from './program.ts';
export { type ConformanceOptions, type ConformanceRun, startConformance } from './conformance.ts';
export type { RuleResult } from './run-rules.ts';
