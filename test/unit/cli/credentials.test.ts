import { userInfo } from 'node:os';
import { expect, test } from '@jest/globals';
import { credentials } from '../../../cli/credentials.ts';

const fileIn = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv) =>
  credentials({ env, platform }).file.replaceAll('\\', '/');

test.each<[string, NodeJS.Platform, NodeJS.ProcessEnv, string]>([
  ['on Linux', 'linux', {}, '/home/anna/.config'],
  ['where a folder for settings is named', 'linux', { XDG_CONFIG_HOME: '/settings' }, '/settings'],
  ['where its variable is empty', 'linux', { XDG_CONFIG_HOME: '' }, '/home/anna/.config'],
  ['where it is relative', 'linux', { XDG_CONFIG_HOME: 'settings' }, '/home/anna/.config'],
  ['on macOS', 'darwin', {}, '/home/anna/Library/Application Support'],
  ['on macOS with a named folder', 'darwin', { XDG_CONFIG_HOME: '/settings' }, '/settings'],
])('the key is kept %s', (_, platform, more, folder) => {
  const env = { HOME: '/home/anna', ...more };
  expect(fileIn(platform, env)).toBe(`${folder}/slipway/credentials.json`);
});

test('without a home folder in the environment, the key is in that of the user', () => {
  const file = `${userInfo().homedir}/.config/slipway/credentials.json`;
  expect([fileIn('linux', {}), fileIn('linux', { HOME: '' })]).toEqual([file, file]);
});

test('on Windows, the key is kept in the folder of roaming settings', () => {
  const APPDATA = String.raw`C:\Users\Anna\AppData\Roaming`;
  const file = 'C:/Users/Anna/AppData/Roaming/slipway/credentials.json';
  expect(fileIn('win32', { APPDATA }).endsWith(file)).toBe(true);
  expect(fileIn('win32', { APPDATA: '', HOME: String.raw`C:\Users\Anna` }).endsWith(file)).toBe(
    true,
  );
});
