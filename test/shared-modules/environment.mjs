import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/**
 * Jest's environment without a context of its own: tests use the modules and globals of the worker's
 * process.
 */
export default class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimersModern;
  /** Jest replaces the first two for each file; tests change the others. */
  #before = {
    console: Object.getOwnPropertyDescriptor(globalThis, 'console'),
    exit: Object.getOwnPropertyDescriptor(process, 'exit'),
    env: { ...process.env },
    exitCode: process.exitCode,
  };

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  /** Only for coverage by V8. */
  getVmContext() {
    return null;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    const { console, exit, env, exitCode } = this.#before;
    Object.defineProperty(globalThis, 'console', console);
    Object.defineProperty(process, 'exit', exit);
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.exitCode = exitCode;
  }
}
