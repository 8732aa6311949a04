import { expect, test } from '@jest/globals';
import { boundedMemory } from '../../../core/bounded-memory.ts';

test('those that were not needed for longest leave first', () => {
  const memory = boundedMemory<string>(10);
  memory.add('a', 'A', 4);
  memory.add('b', 'B', 4);
  expect(memory.get('a')).toBe('A');
  memory.add('c', 'C', 4);
  expect(['a', 'b', 'c'].map((key) => memory.get(key))).toEqual(['A', undefined, 'C']);
});

test('a value that is larger than the memory is not kept, and replaces what was there', () => {
  const memory = boundedMemory<string>(10);
  memory.add('a', 'A', 10);
  memory.add('a', 'larger', 11);
  expect(memory.get('a')).toBeUndefined();
});

test('what left or was replaced takes no room', () => {
  const memory = boundedMemory<string>(10);
  memory.add('a', 'A', 10);
  memory.add('a', 'A again', 5);
  memory.add('b', 'B', 5);
  expect(memory.get('a')).toBe('A again');
  memory.remove('a');
  memory.remove('a');
  memory.add('c', 'C', 5);
  expect(['a', 'b', 'c'].map((key) => memory.get(key))).toEqual([undefined, 'B', 'C']);
});
