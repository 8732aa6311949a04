import { expect, test } from '@jest/globals';
import { exitCodes } from '../../cli/command-error.ts';
import { commands } from '../../cli/commands.ts';
import { optionTable } from '../../cli/options.ts';
import { commandSteps } from '../fixtures/command/command-steps.ts';

const words = commandSteps.flatMap(({ args }) => args);

test('every command is run', () => {
  const run = new Set(commandSteps.map(({ args: [name] }) => name));
  expect(Object.keys(commands).filter((name) => !run.has(name))).toEqual([]);
});

test('every action of a command is run', () => {
  const missing = Object.values(commands).flatMap(({ usage }) => {
    const [name, ...operands] = usage.split(/[ [\]|]+/);
    const actions = operands.filter((word) => /^[a-z]+$/.test(word));
    return actions
      .filter((action) => !commandSteps.some(({ args }) => args[0] === name && args[1] === action))
      .map((action) => `${name} ${action}`);
  });
  expect(missing).toEqual([]);
});

test('every option is used, with its command', () => {
  const used = (name: string, option: string) =>
    commandSteps.some(({ args }) => args[0] === name && args.includes(`--${option}`));
  const options = Object.keys(optionTable);
  expect(options.filter((option) => !words.includes(`--${option}`))).toEqual([]);
  const { publish } = commands;
  expect(publish?.options?.filter((option) => !used('publish', option))).toEqual(['project']);
});

test('every exit code is reached', () => {
  const reached = new Set(commandSteps.map(({ code = 0 }) => code));
  expect(Object.values(exitCodes).filter((code) => !reached.has(code))).toEqual([]);
});
