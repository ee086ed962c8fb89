export { run } from './run.ts';
export type { Output, Terminal } from './terminal.ts';
export { EXIT } from './exit-code.ts';
export { startConformance } from './conformance/conformance.ts';
export type { ConformanceOptions, ConformanceRun } from './conformance/conformance.ts';
export type { RuleResult } from './conformance/run-rules.ts';
export { modelsSource } from './types-generator/models-source.ts';
export type { Int64 } from './types-generator/type-source.ts';
