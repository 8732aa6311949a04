import { describe, expect, test } from '@jest/globals';
import { parseStageCommand, refuseFailedStack } from '../../../bin/stages/run-stage.ts';

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

test('a data stack whose first deployment failed is refused with the two commands that remove it', async () => {
  const found = (status: string | undefined) => ({ status: async () => status });
  await expect(refuseFailedStack(found('ROLLBACK_COMPLETE'), 'SlipwayData-prod')).rejects.toThrow(
    /update-termination-protection --no-enable-termination-protection .*SlipwayData-prod\n.*delete-stack .*SlipwayData-prod$/,
  );
  for (const status of [undefined, 'CREATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'])
    await expect(refuseFailedStack(found(status), 'SlipwayData-prod')).resolves.toBeUndefined();
});
