import { spawnSync } from 'node:child_process';
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

  test('a setting of the old kind is refused with the file that takes it', () => {
    const args = ['deploy', '--stage', 'prod', '--', '-c', 'slipway.waf=true'];
    expect(() => parseStageCommand(args)).toThrow('Write it into stages/prod.json');
  });
});

test('the CDK without a stage deploys nothing, and says what does', () => {
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'bin/app.ts'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect(stderr).toContain('npm run deploy -- --stage prod');
  expect(status).toBe(1);
});
