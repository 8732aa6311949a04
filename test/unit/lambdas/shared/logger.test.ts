import { beforeEach, expect, jest, test } from '@jest/globals';
import { logger } from '../../../../lambdas/shared/logger.ts';

// Test files of a worker share the logger, and some of them silence it.
beforeEach(() => {
  logger.setLogLevel('INFO');
});

/** What a line of the log says of its error. */
function logged(error: unknown): Record<string, any> {
  const lines: string[] = [];
  const console = Reflect.get(logger, 'console') as Console;
  const write = jest.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
  logger.error('failed', { error });
  write.mockRestore();
  return JSON.parse(lines[0] ?? '').error;
}

test('an error has its name, message and stack, and so has its cause', () => {
  const cause = Object.assign(new TypeError('no byte within 2000 ms'), { code: 'ETIMEDOUT' });
  const error = logged(new Error('dynamodb GetItem: no response', { cause }));
  expect(error).toMatchObject({
    name: 'Error',
    message: 'dynamodb GetItem: no response',
    stack: expect.stringContaining('logger.test.ts'),
    cause: {
      name: 'TypeError',
      message: 'no byte within 2000 ms',
      code: 'ETIMEDOUT',
      stack: expect.stringContaining('logger.test.ts'),
    },
  });
});

test('its secrets are redacted', () => {
  const error = logged(new Error('sent Bearer abcdef', { cause: new Error('Basic abcdef') }));
  expect(JSON.stringify(error)).not.toContain('abcdef');
});
