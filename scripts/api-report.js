// `pnpm api` in a package: compares what it exports with `etc/*.api.md`, one report for each entry;
// `UPDATE_API=1` writes the reports anew.
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { Extractor, ExtractorConfig, ExtractorMessageCategory } from '@microsoft/api-extractor';

const folder = process.cwd();
const isUpdate = process.env['UPDATE_API'] !== undefined;
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const reportFolder = join(folder, 'etc');
const reportTempFolder = join(folder, 'node_modules/.cache/api');
for (const needed of [reportFolder, reportTempFolder]) mkdirSync(needed, { recursive: true });

for (const [entry, { types }] of Object.entries(manifest.exports)) {
  if (types === undefined) continue;
  const reportFileName = `${basename(manifest.name)}${entry.slice(1).replaceAll('/', '-')}.api.md`;
  const { apiReportChanged, succeeded } = compare(types, reportFileName);
  if (apiReportChanged && !isUpdate)
    complain(
      `${manifest.name}: what it exports is not what etc/${reportFileName} says. ` +
        'Announce the change with `pnpm changeset`, and write the report with `UPDATE_API=1 turbo run api`.',
    );
  else if (!succeeded) complain(`${manifest.name}: the report of ${types} could not be made.`);
}

/**
 * @param {string} types the declarations of an entry
 * @param {string} reportFileName
 */
function compare(types, reportFileName) {
  const configObject = {
    projectFolder: folder,
    mainEntryPointFilePath: join(folder, types),
    compiler: { overrideTsconfig: tsconfigOf(types) },
    apiReport: {
      enabled: true,
      reportFileName,
      reportFolder,
      reportTempFolder,
      includeForgottenExports: true,
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    newlineKind: 'lf',
    messages: {
      compilerMessageReporting: { default: { logLevel: 'error' } },
      // Release tags, and remarks on comments: neither is in use here.
      extractorMessageReporting: { default: { logLevel: 'none' } },
      tsdocMessageReporting: { default: { logLevel: 'none' } },
    },
  };
  const config = ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
  });
  return Extractor.invoke(config, {
    localBuild: isUpdate,
    messageCallback(message) {
      if (message.category === ExtractorMessageCategory.Compiler) complain(message.text);
      message.handled = true;
    },
  });
}

/** @param {string} types */
function tsconfigOf(types) {
  const lib = ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'];
  const compilerOptions = { target: 'es2023', lib, module: 'nodenext', strict: true };
  return {
    compilerOptions: { ...compilerOptions, types: ['node'], skipLibCheck: true },
    files: [types],
  };
}

/** @param {string} line */
function complain(line) {
  console.error(line);
  process.exitCode = 1;
}
