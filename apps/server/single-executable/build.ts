// Builds the program, with the explorer, the drivers and Node, as one file that needs no Node:
// https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { writeAssets } from './assets.ts';
import { bundle } from './bundle.ts';
import { fetchNode } from './fetch-node.ts';
import { inject } from './inject.ts';

const OUT = join(import.meta.dirname, '../out');
const PARQUET_THREAD = fileURLToPath(import.meta.resolve('@proj/fastify/parquet-thread'));
const EXECUTABLE = join(OUT, 'dynamic-query');

if (process.platform !== 'linux' || Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(
    `The single executable application is built on Linux with Node 24 or later, not on ` +
      `${process.platform} with Node ${process.version}.`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'dynamic-query-single-executable-'));
try {
  const node = fetchNode(folder);
  const main = await bundle(join(import.meta.dirname, 'main.ts'));
  writeFileSync(join(folder, 'main.cjs'), main.code);
  const thread = await bundle(PARQUET_THREAD);
  const configuration = {
    main: 'main.cjs',
    output: 'blob',
    disableExperimentalSEAWarning: true,
    // Else a start takes longer than that of an installation. It works without import() only.
    useCodeCache: true,
    assets: writeAssets(folder, { node, main, thread }),
  };
  writeFileSync(join(folder, 'sea.json'), JSON.stringify(configuration));
  // Relative paths: the program shows that of its main file where it says where an error arose.
  execFileSync(node.program, ['--experimental-sea-config', 'sea.json'], { cwd: folder });
  mkdirSync(OUT, { recursive: true });
  cpSync(node.program, EXECUTABLE);
  await inject(EXECUTABLE, join(folder, 'blob'));
  console.log(`${EXECUTABLE}: ${Math.round(statSync(EXECUTABLE).size / 1e6)} MB`);
} finally {
  rmSync(folder, { recursive: true });
}
