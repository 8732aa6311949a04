import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The object whose properties Jest's runner reads. */
const asyncHooks = createRequire(import.meta.url)('node:async_hooks');
const { AsyncLocalStorage } = asyncHooks;

/** What Jest's runner uses of `AsyncLocalStorage`, for a file that runs one test after another. */
class CurrentTest {
  #store;

  getStore() {
    return this.#store;
  }

  async run(store, callback) {
    const before = this.#store;
    if (before?.test !== undefined && before.test !== store.test) {
      throw new Error('Only a file that contains `test.concurrent` runs tests at the same time.');
    }
    this.#store = store;
    try {
      return await callback();
    } finally {
      this.#store = before;
    }
  }
}

/**
 * Loads Jest's runner for a test file without an `AsyncLocalStorage`, which it has to know the current test.
 *
 * The first use of one makes Node 20 follow every promise of the process until the process ends, and Jest
 * uses another one for each file: after 130 files, an `await` took 200 times as long.
 *
 * A file with concurrent tests needs the real one. Call `done` after its tests.
 */
export function loadForFile(testPath, load) {
  // Since Node 24 it cannot be replaced, and need not: it no longer follows promises.
  const { writable } = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
  if (writable !== true) return { loaded: load(), done: () => undefined };
  const created = [];
  class Storage extends AsyncLocalStorage {
    constructor(...args) {
      super(...args);
      created.push(this);
    }
  }
  // Loading the runner loads other modules, for which this is called again.
  const before = asyncHooks.AsyncLocalStorage;
  const isConcurrent = readFileSync(testPath, 'utf8').includes('.concurrent');
  asyncHooks.AsyncLocalStorage = isConcurrent ? Storage : CurrentTest;
  try {
    return { loaded: load(), done: () => created.forEach((one) => one.disable()) };
  } finally {
    asyncHooks.AsyncLocalStorage = before;
  }
}
