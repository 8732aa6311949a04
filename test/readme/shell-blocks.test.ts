import { expect, test } from '@jest/globals';
import { shellBlocks } from './shell-blocks.ts';

const fenced = (info: string, ...lines: string[]) =>
  ['', `\`\`\`${info}`, ...lines, '```'].join('\n');

test('shell blocks are found with their lines, commands and needs', () => {
  const text = [
    fenced('sh', 'one', '', 'two \\', '  three'),
    fenced('json', '{}'),
    fenced('sh needs=aws', 'npx cdk deploy'),
  ].join('\n');
  expect(shellBlocks(text)).toEqual([
    { line: 3, commands: ['one', 'two \n  three'.replace('\n', '\\\n')], needs: undefined },
    { line: 14, commands: ['npx cdk deploy'], needs: 'aws' },
  ]);
});

test.each(['', 'powershell', 'sg'])(
  'a block of the language "%s" is not overlooked',
  (language) => {
    expect(() => shellBlocks(fenced(language, 'rm x'))).toThrow('without a known language');
  },
);

test('a mark that is not understood leaves the block among those that run', () => {
  expect(shellBlocks(fenced('sh skip', 'one'))[0]?.needs).toBeUndefined();
});
