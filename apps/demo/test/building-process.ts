/**
 * `node test/building-process.ts <directory> [die-at]`: builds the demo database, or dies by a kill
 * once so much of it is done.
 */
import { ensureDemoDatabase } from '../src/build-demo.ts';

const [directory = '', dieAt = '2'] = process.argv.slice(2);

const file = await ensureDemoDatabase({
  directory,
  onProgress: (done) => {
    if (done >= Number(dieAt)) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write(file);
