import { describe, expect, test } from '@jest/globals';
import { functionNames } from '../../lib/functions/function-names.ts';
import { functionNamed, functions } from './functions.ts';
import { ofType, synthesize } from './synthesize.ts';

describe('every function', () => {
  test.each([...functionNames])('%s runs on Node 24 on ARM, with JSON logs of its own', (name) => {
    const { Properties } = functionNamed(name);
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      LoggingConfig: {
        LogFormat: 'JSON',
        LogGroup: { Ref: expect.stringMatching(/Log[0-9A-F]{8}$/) },
      },
      Environment: {
        Variables: { POWERTOOLS_SERVICE_NAME: name },
      },
    });
  });

  test('is traced, except what runs for each visit or each minute, whose log has only failures of Lambda', () => {
    const often = ['gate', 'hit-counter', 'maintenance', 'webhook-sender'];
    for (const name of functionNames) {
      const { Properties } = functionNamed(name);
      const isOften = often.includes(name);
      expect(Properties.TracingConfig).toEqual(isOften ? undefined : { Mode: 'Active' });
      expect(Properties.LoggingConfig.SystemLogLevel).toBe(isOften ? 'WARN' : undefined);
    }
  });

  test('is one of those named', () => {
    expect(functions).toHaveLength(functionNames.length);
  });

  test('has a log with the retention of the setting', async () => {
    const { service: shorter } = await synthesize({ logRetentionDays: 7 });
    const logs = ofType(shorter, 'AWS::Logs::LogGroup');
    expect(logs).toHaveLength(functionNames.length + 1);
    for (const log of logs) expect(log.Properties.RetentionInDays).toBe(7);
  });
});
