import { expect, test } from '@jest/globals';
import { type CommandResult, runSideBySide } from '../../../scripts/side-by-side.ts';

const passed: CommandResult = { status: 0, output: '' };

test('lanes run at the same time, and the commands of a lane one after the other', async () => {
  const running = new Set<string>();
  const seen: string[][] = [];
  let release = () => {};
  const bothRun = new Promise<void>((resolve) => (release = resolve));
  const run = async (command: string) => {
    running.add(command);
    seen.push([...running].sort());
    // Neither of the first two can end before the other has begun.
    if (running.size === 2) release();
    await bothRun;
    running.delete(command);
    return passed;
  };
  expect(await runSideBySide([['tests'], ['types', 'lint']], () => {}, run)).toEqual([]);
  expect(seen[1]).toEqual(['tests', 'types']);
  expect(seen).not.toContainEqual(expect.arrayContaining(['types', 'lint']));
  expect(seen.flat()).toContain('lint');
});

test('a command that fails stops no other one and is named at the end', async () => {
  const ran: string[] = [];
  const run = async (command: string) => {
    ran.push(command);
    return { status: command === 'types' ? 2 : 0, output: '' };
  };
  expect(await runSideBySide([['types', 'lint'], ['tests']], () => {}, run)).toEqual(['types']);
  expect(ran.sort()).toEqual(['lint', 'tests', 'types']);
});

test('prints all output of a command together, also what it says of its errors', async () => {
  const printed: string[] = [];
  const lanes = [['echo one; echo two >&2; exit 3'], ['kill -9 $$']];
  const failed = await runSideBySide(lanes, (text) => printed.push(text));
  expect(failed.sort()).toEqual(['echo one; echo two >&2; exit 3', 'kill -9 $$']);
  const [killed, echoed] = printed.sort((one, other) => one.length - other.length);
  expect(killed).toMatch(/^--- kill -9 \$\$: FAILED in [\d.]+ s\n$/);
  expect(echoed).toMatch(/FAILED in [\d.]+ s\n(?:one\ntwo|two\none)\n$/);
});
