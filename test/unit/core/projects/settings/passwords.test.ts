import { expect, test } from '@jest/globals';
import { hashPassword, isPassword } from '../../../../../core/projects/settings/passwords.ts';

test('a password is recognised, another is not', async () => {
  const stored = await hashPassword('correct horse');
  expect(stored).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await isPassword('correct horse', stored)).toBe(true);
  expect(await isPassword('correct horsE', stored)).toBe(false);
  expect(await isPassword('', stored)).toBe(false);
});

test('two hashes of one password have nothing in common', async () => {
  const [a, b] = await Promise.all([hashPassword('same'), hashPassword('same')]);
  expect(a?.split('$').slice(4)).not.toEqual(b?.split('$').slice(4));
});

test('composed and decomposed letters are the same password', async () => {
  expect(await isPassword('caf\u00e9', await hashPassword('cafe\u0301'))).toBe(true);
});

test('a hash with another cost is still recognised', async () => {
  const stored = 'scrypt$16$8$1$c2FsdHNhbHRzYWx0c2E$';
  expect(await isPassword('x', stored)).toBe(false);
  const cheap = `${stored}kxw3WdRyASTgOcZoVUhfHj2v1jRfw1rbanudEJysQY0`;
  expect(await isPassword('cheap', cheap)).toBe(true);
});
