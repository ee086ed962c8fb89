import { packageFiles } from '../process/program-files.ts';

/** `dynamic-query licenses`: prints the licences of what is bundled into the program. */
export function licenses(): void {
  process.stdout.write(packageFiles('@proj/server', 'dist/program').read('LICENSES.txt'));
}
