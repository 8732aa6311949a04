import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { register as registerTypeScript } from 'tsx/esm/api';
import { loadForFile } from './current-test.mjs';

const require = createRequire(import.meta.url);
const circus = require.resolve('jest-circus/runner').replace(/runner\.js$/, 'jestAdapterInit.js');

let isReady = false;
let count = 0;

/**
 * Runs one test file as Jest's own runner does, but imports it as Node does. Product code and packages are
 * evaluated once in a worker; the test file and what it imports from the tests' folders, for each file.
 */
export default async function runFile(...args) {
  const prepareStackTrace = Reflect.get(Error, 'prepareStackTrace');
  prepare();
  try {
    return await importAndRun(...args);
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
}

async function importAndRun(...args) {
  // A new copy has no tests and no handlers of the file before.
  delete require.cache[circus];
  delete globalThis[Symbol.for('EVENT_HANDLERS')];
  const testPath = args[4];
  const { loaded, done } = loadForFile(testPath, () => require(circus));
  try {
    return await runIn(loaded, ...args);
  } finally {
    done();
  }
}

async function runIn(
  { initialize, runAndTransformResultsToJestFormat },
  ...[globalConfig, config, environment, runtime, testPath, send]
) {
  const jest = jestObject(environment);
  const { snapshotState } = await initialize({
    config,
    environment,
    globalConfig,
    localRequire: require,
    parentProcess: process,
    runtime,
    sendMessageToJest: send,
    setGlobalsForRuntime: (globals) => {
      globals.expect.addEqualityTesters([areSameBytes]);
      globalThis[Symbol.for('slipway.test-globals')] = { ...globals, jest };
    },
    testPath,
  });
  await import(`${pathToFileURL(testPath).href}?file=${(count += 1)}`);
  const results = await runAndTransformResultsToJestFormat({ config, globalConfig, testPath });
  saveSnapshots(results, snapshotState);
  return results;
}

/** Jest compares bytes one by one, with their names as keys: seconds for a file of some megabytes. */
function areSameBytes(one, other) {
  const areBytes = one instanceof Uint8Array && other instanceof Uint8Array;
  const isSame =
    areBytes && one.constructor === other.constructor && Buffer.compare(one, other) === 0;
  // Otherwise Jest decides, and shows the difference.
  return isSame ? true : undefined;
}

function prepare() {
  delete globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')];
  // Jest's own handler knows only what Jest has compiled; Node's reads all source maps.
  Error.prepareStackTrace = undefined;
  if (isReady) return;
  isReady = true;
  registerTypeScript();
  register('./hooks.mjs', import.meta.url);
}

function jestObject({ global, moduleMocker, fakeTimersModern }) {
  return {
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    setTimeout: (ms) => void (global[Symbol.for('TEST_TIMEOUT_SYMBOL')] = ms),
    useFakeTimers: (options) => fakeTimersModern.useFakeTimers(options),
    useRealTimers: () => fakeTimersModern.useRealTimers(),
    advanceTimersByTimeAsync: (ms) => fakeTimersModern.advanceTimersByTimeAsync(ms),
  };
}

/** As Jest's own runner does, which exports nothing for it. */
function saveSnapshots(results, snapshotState) {
  for (const { fullName, status } of results.testResults) {
    if (status === 'pending' || status === 'failed') {
      snapshotState.markSnapshotsAsCheckedForTest(fullName);
    }
  }
  const uncheckedCount = snapshotState.getUncheckedCount();
  const uncheckedKeys = [...snapshotState.getUncheckedKeys()];
  if (uncheckedCount > 0) snapshotState.removeUncheckedKeys();
  const { deleted } = snapshotState.save();
  const { added, matched, unmatched, updated } = snapshotState;
  Object.assign(results.snapshot, {
    added,
    matched,
    unmatched,
    updated,
    fileDeleted: deleted,
    unchecked: deleted ? 0 : uncheckedCount,
    uncheckedKeys,
  });
}
