import { expect, test } from '@jest/globals';
import { codeOf } from '../../../bin/local-assembly.ts';

test.each([
  ['/home/ada/slipway/bin/local.ts', 'sources'],
  ['/home/ada/slipway/.slipway/builds/programs@c65af14c/made/local.mjs', 'programs@c65af14c'],
  [undefined, 'sources'],
])('templates of %s are known as those of %s', (program, code) => {
  expect(codeOf(program)).toBe(code);
});
