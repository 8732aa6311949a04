const globals = new URL('./globals.mjs', import.meta.url).href;
const folders = ['../', '../../local/test/'].map((folder) => new URL(folder, import.meta.url).href);
/** It remembers only validators of the API's document, which take long to create. */
const sharedByFiles = new URL('../fixtures/clouds/api-document.ts', import.meta.url).href;

/**
 * Gives each test file its own copy of the modules in the tests' folders: some of them have hooks such as
 * `afterEach`, or remember something for the file. `?file=3` marks the third file of this worker.
 */
export async function resolve(specifier, context, next) {
  const [, file] = /\?file=(\d+)$/.exec(context.parentURL ?? '') ?? [];
  if (file === undefined) return await next(specifier, context);
  if (specifier === '@jest/globals') {
    return { url: `${globals}?file=${file}`, format: 'module', shortCircuit: true };
  }
  const resolved = await next(specifier, context);
  const isOfTests =
    folders.some((folder) => resolved.url.startsWith(folder)) &&
    resolved.url.endsWith('.ts') &&
    resolved.url !== sharedByFiles;
  return isOfTests ? { ...resolved, url: `${resolved.url}?file=${file}` } : resolved;
}
