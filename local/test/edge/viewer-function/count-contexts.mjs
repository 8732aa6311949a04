import { createRequire, syncBuiltinESMExports } from 'node:module';

/** Prints how many contexts three runs of a viewer function take; run by `contexts.test.ts` under several Nodes. */
const vm = createRequire(import.meta.url)('node:vm');
const { createContext } = vm;
let contexts = 0;
vm.createContext = (...args) => {
  contexts += 1;
  return createContext(...args);
};
syncBuiltinESMExports();
const { sandboxFor } = await import('../../../edge/viewer-function/sandbox.ts');
const [code = ''] = process.argv.slice(2);
const run = sandboxFor(code, 'viewer-request.js');
const outputs = [1, 2, 3].map((count) => run(JSON.stringify({ event: { count } })));
process.stdout.write(JSON.stringify({ contexts, outputs }));
