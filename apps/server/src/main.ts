#!/usr/bin/env node
import { run } from './run.ts';

process.exitCode = await run({ args: process.argv.slice(2), env: process.env });
