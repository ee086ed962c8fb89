// `pnpm test`: the tests of every commit. Arguments are those of turbo.
import { runSuite } from './run-suite.js';

runSuite(['test'], {}, process.argv.slice(2));
