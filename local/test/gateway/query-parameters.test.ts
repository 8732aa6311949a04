import { expect, test } from '@jest/globals';
import { queryParameters } from '../../gateway/request.ts';

test.each([
  ['', []],
  [
    'a=1&b=2',
    [
      ['a', ['1']],
      ['b', ['2']],
    ],
  ],
  ['a=1&a=2', [['a', ['1', '2']]]],
  [
    'empty=&bare',
    [
      ['empty', ['']],
      ['bare', ['']],
    ],
  ],
  [
    'plus=a+b&encoded=a%2Bb',
    [
      ['plus', ['a b']],
      ['encoded', ['a+b']],
    ],
  ],
  ['url=https%3A%2F%2Fx.example%2F%3Fa%3Db', [['url', ['https://x.example/?a=b']]]],
  ['equals=a=b', [['equals', ['a=b']]]],
  ['caf%C3%A9=%E2%82%AC', [['café', ['€']]]],
  [
    'a=1;b=2',
    [
      ['a', ['1']],
      ['b', ['2']],
    ],
  ],
  [
    'bad=%zz&cut=%4&end=%',
    [
      ['bad', ['%zz']],
      ['cut', ['%4']],
      ['end', ['%']],
    ],
  ],
  ['bytes=%ff', [['bytes', ['\uFFFD']]]],
  ['__proto__=x', [['__proto__', ['x']]]],
  ['twice=%2520', [['twice', ['%20']]]],
])('reads %j', (query, expected) => {
  expect([...queryParameters(query)]).toEqual(expected);
});
