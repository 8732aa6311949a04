import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';

/** Runs the code of a viewer function once and prints its output; run by `endless-run.test.ts`. */
const { sandboxFor } = await import('../../../edge/viewer-function/sandbox.ts');
const [code = '', childProgram] = process.argv.slice(2);
if (childProgram !== undefined) {
  const { pid } = spawn(childProgram, ['60'], { stdio: 'ignore' });
  writeSync(1, String(pid));
}
const output = sandboxFor(code, 'VisitorsViewerRequest.js')(JSON.stringify({ event: {} }));
process.stdout.write(JSON.stringify(output));
