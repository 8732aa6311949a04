import { describe, expect, test } from '@jest/globals';
import { parseStageCommand } from '../../../bin/stages/stage-command.ts';

describe('a command of a stage', () => {
  test('names the stage, and hands the rest to the CDK', () => {
    const args = ['deploy', '--stage', 'prod', '--', '--require-approval', 'never'];
    expect(parseStageCommand(args)).toEqual({
      kind: 'deploy',
      stage: 'prod',
      allowsRemoval: false,
      cdkArguments: ['--require-approval', 'never'],
    });
  });

  test.each(['deploy', 'diff', 'destroy'])('%s is refused without a stage', (verb) => {
    expect(() => parseStageCommand([verb])).toThrow(
      `Name the stage: npm run ${verb} -- --stage prod.`,
    );
  });

  test('synth needs none', () => {
    expect(parseStageCommand(['synth'])).toEqual({ kind: 'synth', stage: undefined });
  });
});
