/** Runs the code of a viewer function once and prints its output; run by `endless-run.test.ts`. */
const { sandboxFor } = await import('../../../edge/viewer-function/sandbox.ts');
const [code = ''] = process.argv.slice(2);
const output = sandboxFor(code, 'VisitorsViewerRequest.js')(JSON.stringify({ event: {} }));
process.stdout.write(JSON.stringify(output));
