export { proofLines, VERDICTS, type Verdict, verdictOf } from './proof-lines.ts';
export { type Proof, type ProofOptions, proveState } from './prove-state.ts';
