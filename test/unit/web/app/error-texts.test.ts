import { expect, test } from '@jest/globals';
import { errorCodes } from '../../../../contract/errors.ts';
import { ApiError } from '../../../../web/app/api/api-error.ts';
import { describeRefusal, refusedField } from '../../../../web/app/api/describe-refusal.ts';
import { texts } from '../../../../web/app/texts/en.ts';
import { everyPage } from '../pages/every-page.ts';

const ofPrograms =
  /[`_]|\b(?:GET|POST|PUT|PATCH|DELETE) \/|\/v1\b|\brequests?\b|\bheaders?\b|\b[a-z]+[A-Z]\w+/;

/** A refusal as the service sends it. */
function refusal(code: string, error: string, more: object = {}): ApiError {
  return new ApiError(400, { status: 'error', code, error, nextStep: 'Send `x`.', ...more });
}

const waits = [undefined, 0, 1, 59, 120, 1380, 90_000];

test('no refusal speaks of fields, methods or codes to a person, whatever the service says of it', () => {
  const said = [
    'That was too much.',
    'Send `slug` again.',
    'uploadId: must be one.',
    'Use GET /v1/user.',
    'expectedVersion is 3.',
    'The request has 5 bytes.',
  ];
  for (const code of [...errorCodes, 'OF_TOMORROW']) {
    for (const error of said) {
      for (const retryAfterSeconds of waits) {
        const { what, next } = describeRefusal(refusal(code, error, { retryAfterSeconds }));
        expect(`${what} ${next}`).not.toMatch(ofPrograms);
        expect(next).not.toBe('');
        expect(what).toMatch(/^[A-Z“].*\.$/);
      }
    }
  }
});

test.each([
  [
    refusal('RATE_LIMITED', 'At most 3 uploads in 10 minutes.', { retryAfterSeconds: 1380 }),
    'That was a lot at once.',
    'Try again in 23 minutes.',
  ],
  [
    refusal(
      'PAYLOAD_TOO_LARGE',
      'The upload has 8400000 bytes; one upload can have at most 2000000.',
    ),
    'The upload has 8 MB; one upload can have at most 1.9 MB.',
    'Choose something smaller. An account, or a larger plan, takes more. Nothing was published.',
  ],
  [
    refusal('SLUG_TAKEN', 'The address is taken: harbour-20261127.'),
    'The address is taken: harbour-20261127.',
    'Choose another one.',
  ],
  [
    refusal('INVALID_REQUEST', 'expiresAt: must be in the future.', {
      details: [{ path: 'expiresAt', message: 'must be in the future' }],
    }),
    'The expiry must be in the future.',
    'Correct it, then try again.',
  ],
  [
    refusal('INVALID_REQUEST', 'cursor: is unknown.', {
      details: [{ path: 'cursor', message: 'is unknown' }],
    }),
    'Something that you entered is not valid.',
    'Correct it, then try again.',
  ],
  [
    refusal('OTP_INVALID', 'This is not the code that was sent.', { attemptsLeft: 1 }),
    'This is not the code that we sent.',
    'Look at the newest e-mail and enter its six digits. One try is left.',
  ],
])('%s', (error, what, next) => {
  expect(describeRefusal(error)).toMatchObject({ what, next });
});

test('a wait counts down and ends', () => {
  const error = refusal('RATE_LIMITED', 'Too many.', { retryAfterSeconds: 180 });
  const nexts = [180, 100, 20, 1, 0].map((left) => describeRefusal(error, left).next);
  expect(nexts).toEqual([
    'Try again in 3 minutes.',
    'Try again in 2 minutes.',
    'Try again in 20 seconds.',
    'Try again in 1 second.',
    'You can try again now.',
  ]);
});

test('a refusal names the field that has to be corrected', () => {
  const details = [{ path: 'title', message: 'is empty' }];
  expect(refusedField(refusal('INVALID_REQUEST', 'title: is empty.', { details }))).toBe('title');
  expect(refusedField(refusal('SLUG_TAKEN', 'Taken.'))).toBe('slug');
  expect(refusedField(refusal('INTERNAL', 'Oh.'))).toBeUndefined();
});

/** Is a number, a word and a list, whichever a text takes. */
const anything = ['2'];

/** Every text of the app. One that names something is called with `anything`. */
function allTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return allTexts(value(anything, anything, anything));
  if (value !== null && typeof value === 'object') return Object.values(value).flatMap(allTexts);
  return [];
}

test('no text of the web app speaks of fields, methods or requests', () => {
  const found = allTexts(texts).filter((text) => ofPrograms.test(text));
  expect(found).toEqual([]);
});

/** The page for somebody who writes an app is allowed to. */
const forPeople = everyPage.filter(([name]) => !name.includes('mistake in an app'));

test.each(forPeople)('%s speaks of none either', (_, { html }) => {
  const text = html.replace(/<(script|style|code|pre)\b[^]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ');
  expect(text.match(new RegExp(`.{0,60}(?:${ofPrograms.source}).{0,60}`, 'g')) ?? []).toEqual([]);
});
