import { stdout } from 'node:process';
import { runSideBySide } from './side-by-side.ts';

/** `npm run check`: the tests take longest, so everything else runs one by one beside them. */
const failed = await runSideBySide(
  [
    ['npm run -s test:fast'],
    ['npm run -s types', 'npm run -s lint', 'npm run -s boundaries', 'npm run -s unused'],
  ],
  (text) => stdout.write(text),
);
if (failed.length > 0) {
  stdout.write(`--- failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
