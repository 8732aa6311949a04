import circus from 'jest-circus/runner';
import { loadForFile } from './current-test.mjs';

/** Jest's own runner, whose tests have modules of their own, but see `loadForFile`. */
export default async function runFileApart(
  globalConfig,
  config,
  environment,
  runtime,
  testPath,
  send,
) {
  const requireInternal = runtime.requireInternalModule.bind(runtime);
  const calls = [];
  runtime.requireInternalModule = (...args) => {
    const { loaded, done } = loadForFile(testPath, () => requireInternal(...args));
    calls.push(done);
    return loaded;
  };
  try {
    return await circus.default(globalConfig, config, environment, runtime, testPath, send);
  } finally {
    for (const done of calls) done();
  }
}
