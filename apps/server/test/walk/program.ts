// The program of the service, file by file: the one that an operator starts is a bundle.
import { run } from '../../dist/run.js';

process.exitCode = await run({ args: process.argv.slice(2), env: process.env });
