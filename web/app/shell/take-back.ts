import { isMissing } from '../api/api-error.ts';

/**
 * Takes several changes back, one after the other. A failure does not stop the others, and a second try
 * repeats what failed and nothing else. A change that cannot be found any more is reported once and then
 * skipped: another tab has taken it back, or its object is gone.
 * @param takeBack takes one of them back
 * @returns a function that throws the first error of its try
 */
export function takeBackEach<Input>(
  inputs: readonly Input[],
  takeBack: (input: Input) => Promise<unknown>,
): () => Promise<void> {
  let waiting = inputs;
  return async () => {
    const failed: { input: Input; error: unknown }[] = [];
    for (const input of waiting) {
      try {
        await takeBack(input);
      } catch (error) {
        failed.push({ input, error });
      }
    }
    waiting = failed.filter(({ error }) => !isMissing(error)).map(({ input }) => input);
    const [first] = failed;
    if (first !== undefined) throw first.error;
  };
}
