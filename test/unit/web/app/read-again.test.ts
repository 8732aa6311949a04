import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from '@jest/globals';
import { readAgain } from '../../../../web/app/api/read-again.ts';

/** A query that is shown, whose answers the test sends; each is one of an own request. */
function aShownQuery() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const asked: ((answer: string) => void)[] = [];
  const queryKey = ['an-account', 'listKeys'];
  const queryFn = () => new Promise<string>((resolve) => asked.push(resolve));
  const observer = new QueryObserver(client, { queryKey, queryFn });
  const hide = observer.subscribe(() => undefined);
  const shown = () => observer.getCurrentResult().data;
  return { client, queryKey, asked, shown, hide };
}

test('a first answer from before a change is not shown as the one after it', async () => {
  const { client, queryKey, asked, shown, hide } = aShownQuery();
  const isRead = readAgain(client, queryKey);
  asked[0]?.('before');
  while (asked.length < 2) await new Promise(setImmediate);
  asked[1]?.('after');
  await isRead;
  expect(shown()).toBe('after');
  hide();
});

test('what is shown stays until it is read again', async () => {
  const { client, queryKey, asked, shown, hide } = aShownQuery();
  asked[0]?.('before');
  while (shown() === undefined) await new Promise(setImmediate);
  const isRead = readAgain(client, queryKey);
  while (asked.length < 2) await new Promise(setImmediate);
  expect(shown()).toBe('before');
  asked[1]?.('after');
  await isRead;
  expect(shown()).toBe('after');
  hide();
});

test('of two changes before any answer, neither fails, and the answer after both is shown', async () => {
  const { client, queryKey, asked, shown, hide } = aShownQuery();
  const first = readAgain(client, queryKey);
  while (asked.length < 2) await new Promise(setImmediate);
  const second = readAgain(client, queryKey);
  while (asked.length < 3) await new Promise(setImmediate);
  for (const [index, answer] of asked.entries()) answer(`answer ${index}`);
  await Promise.all([first, second]);
  expect(shown()).toBe('answer 2');
  hide();
});
