import { describe, expect, test } from '@jest/globals';
import { aRequest, text } from '../edge-fixture.ts';
import { aFunction, context, run } from './a-viewer-function.ts';

describe('a viewer function', () => {
  test.each([
    'require',
    'process',
    'setTimeout',
    'setInterval',
    'fetch',
    'Buffer',
    'globalThis.global',
    'WebAssembly',
  ])('has no %s', (name) => {
    expect(run(`return { statusCode: 200, body: typeof ${name} };`)).toMatchObject({
      response: { body: Buffer.from('undefined') },
    });
  });

  test.each([
    'this.constructor.constructor("return process")().exit',
    'console.log.constructor("return process")()',
    'event.constructor.constructor("return process")()',
    'eval("1")',
    'new Function("return 1")()',
  ])('cannot escape through %s', (code) => {
    expect(run(`console.log('x'); return { statusCode: 200, body: String(${code}) };`).kind).toBe(
      'failed',
    );
  });

  test('keeps no state between requests', () => {
    const fn = aFunction(
      'var count = 0; function handler() { count += 1; return { statusCode: 200, body: String(count) }; }',
    );
    fn.run(aRequest(), context);
    expect(fn.run(aRequest(), context)).toMatchObject({ response: { body: Buffer.from('1') } });
  });

  test.each([
    ['a global variable', 'leaked = 1;', 'typeof leaked'],
    ['a property of the global object', 'globalThis.leaked = 1;', 'typeof leaked'],
    [
      'a property of the prototype of the global object',
      'Object.getPrototypeOf(globalThis).leaked = 1;',
      'typeof leaked',
    ],
    ['a replaced global', 'Array = function () {};', 'Array.name'],
    ['a deleted global', 'delete globalThis.Array;', 'typeof Array'],
    ['a getter', 'Object.defineProperty(globalThis, "leaked", { get: () => 1 });', 'typeof leaked'],
    [
      'a polluted prototype',
      'try { Object.prototype.leaked = 1; } catch (_) {}',
      'typeof ({}).leaked',
    ],
    [
      'the prototype of a value',
      'try { "".__proto__.leaked = 1; } catch (_) {}',
      'typeof "".leaked',
    ],
    ['a replaced method', 'try { Array.prototype.map = 1; } catch (_) {}', 'typeof [].map'],
    [
      'a hidden prototype',
      '(async function () {}).__proto__.leaked = 1;',
      'typeof (async function () {}).leaked',
    ],
    ['an iterator', '[].values().__proto__.leaked = 1;', 'typeof [].values().leaked'],
    ['a property of console', 'console.leaked = 1;', 'typeof console.leaked'],
    ['a property of JSON', 'JSON.parse = 1;', 'typeof JSON.parse'],
    ['the last match', '/x/.test("x");', 'String(RegExp.lastMatch)'],
    [
      'the prototype of the global object',
      'try { Object.setPrototypeOf(globalThis, { leaked: 1 }); } catch (_) {}',
      'typeof leaked',
    ],
    ['the input', 'edgeInput = "x";', 'typeof edgeInput'],
    ['a replaced console', 'console = { log() {}, leaked: 1 };', 'typeof console.leaked'],
    [
      'an input that cannot be written',
      'Object.defineProperty(globalThis, "edgeInput", { writable: false });',
      'event.request.uri',
    ],
    [
      'a getter in place of the input',
      'Object.defineProperty(globalThis, "edgeInput", { get: () => "{}" });',
      'typeof event.request',
    ],
    [
      'a late promise',
      'Promise.resolve().then(() => { globalThis.leaked = 1; });',
      'typeof leaked',
    ],
  ])('leaves nothing for the next request: %s', (_what, change, look) => {
    const fn = aFunction(
      `function handler(event) { var seen = String(${look}); ${change}
        return { statusCode: 200, body: seen }; }`,
    );
    const bodies = [1, 2, 3].map(() => {
      const outcome = fn.run(aRequest(), context);
      return outcome.kind === 'response' ? text(outcome.response) : outcome.kind;
    });
    expect(new Set(bodies).size).toBe(1);
  });
});
