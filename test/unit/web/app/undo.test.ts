import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../../../web/app/api/api-error.ts';
import { takeBackEach } from '../../../../web/app/shell/take-back.ts';
import { endUndo, offerUndo, undoStore } from '../../../../web/app/shell/undo-store.ts';

const anOffer = {
  text: 'The project was deleted.',
  account: 'a',
  projectIds: ['p'],
  run: async () => undefined,
};

/** The offer that is shown. */
function shown() {
  const offer = undoStore.snapshot();
  if (offer === undefined) throw new Error('nothing is offered');
  return offer;
}

test('an offer that ends late does not end the one after it, though both have the same text', () => {
  offerUndo(anOffer);
  const first = shown();
  offerUndo(anOffer);
  endUndo(first);
  const second = shown();
  expect(second.number).toBeGreaterThan(first.number);
  endUndo(second);
  expect(undoStore.snapshot()).toBeUndefined();
});

describe('taking several changes back', () => {
  const taken = new ApiError(409, { error: 'taken' });
  const missing = new ApiError(404, { error: 'missing' });

  /** Which inputs each try sent, and how it ended. */
  async function tries(refusals: Record<string, Error>): Promise<[string, unknown][]> {
    let sent = '';
    const run = takeBackEach(['a', 'b', 'c'], async (input) => {
      sent += input;
      if (refusals[input] !== undefined) throw refusals[input];
    });
    const ended = async () => {
      sent = '';
      const error = await run().catch((thrown: unknown) => thrown);
      return [sent, error] as [string, unknown];
    };
    const first = await ended();
    return [first, await ended()];
  }

  test('goes on after a failure, and tries only that again', async () => {
    expect(await tries({ a: taken })).toEqual([
      ['abc', taken],
      ['a', taken],
    ]);
  });

  test('gives up what another tab has taken back, after it said so', async () => {
    expect(await tries({ a: missing, b: taken })).toEqual([
      ['abc', missing],
      ['b', taken],
    ]);
    expect(await tries({ c: missing })).toEqual([
      ['abc', missing],
      ['', undefined],
    ]);
  });
});
