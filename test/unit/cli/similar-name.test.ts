import { expect, test } from '@jest/globals';
import { commands } from '../../../cli/commands.ts';
import { similarName } from '../../../cli/similar-name.ts';

test.each([
  ['publsh', 'publish'],
  ['pubilsh', 'publish'],
  ['Publish', 'publish'],
  ['logn', 'login'],
  ['rn', 'rm'],
  ['requestfiles', 'request-files'],
])('%s is probably %s', (typed, meant) => {
  expect(similarName(typed, Object.keys(commands))).toBe(meant);
});

test.each(['deploy', 'x', ''])('%j is close to no command', (typed) => {
  expect(similarName(typed, Object.keys(commands))).toBeUndefined();
});
