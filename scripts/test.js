// `pnpm test`: the tests of every commit.
import { runSuite } from './run-suite.js';

runSuite(['test']);
