import { expect, test } from '@jest/globals';
import { parseCommand } from '../../../cli/options.ts';
import { requestedOf, requestOptions } from '../../../cli/request-files.ts';
import { createUploadLink } from '../../../contract/operations/upload-links.ts';

const now = new Date('2026-03-01T12:00:00Z');
const requested = (...args: string[]) =>
  requestedOf(parseCommand('request-files', args, requestOptions).values, now);

test.each([
  [[], {}],
  [['--notify'], {}],
  [['--message', 'Photos, please'], { message: 'Photos, please' }],
  [['--closes', '7d'], { closesAt: '2026-03-08T12:00:00.000Z' }],
  [['--closes', '2026-03-31T18:00Z'], { closesAt: '2026-03-31T18:00:00.000Z' }],
  [['--max', '40'], { maxUploads: 40 }],
  [['--max-bytes', '500'], { maxBytes: 500 }],
  [['--max-bytes', '20M'], { maxBytes: 20 * 1024 * 1024 }],
  [['--accept', '.PDF, jpg'], { accept: ['.pdf', '.jpg'] }],
  [['--ask-name', '--ask-email'], { askName: true, askEmail: true }],
  [['--receipts'], { receipts: true }],
  [['--ask-email', '--no-receipts'], { askEmail: true, receipts: false }],
  [['--public'], { private: false }],
])('%j asks for %j', (args, fields) => {
  expect(requested(...args)).toEqual(fields);
  expect(createUploadLink.input.safeParse(fields).success).toBe(true);
});

test.each([
  [['--max', '40M'], '--max must be a number'],
  [['--max', '-1'], '--max'],
  [['--max-bytes', 'large'], '--max-bytes must be a size'],
  [['--closes', 'soon'], '--closes must be a time'],
  [['--receipts', '--no-receipts'], 'not both'],
])('%j is a wrong command line', (args, message) => {
  expect(() => requested(...args)).toThrow(message);
});
