import { expect, test } from '@jest/globals';
import { inlineDisposition } from '../../../../core/content/content-disposition.ts';

test.each([
  ['docs/plan.pdf', "inline; filename*=UTF-8''plan.pdf"],
  ["it's (1)*.txt", "inline; filename*=UTF-8''it%27s%20%281%29%2A.txt"],
  ['naïve "x".txt', "inline; filename*=UTF-8''na%C3%AFve%20%22x%22.txt"],
])('the name of %s survives a header', (path, header) => {
  expect(inlineDisposition(path)).toBe(header);
});
